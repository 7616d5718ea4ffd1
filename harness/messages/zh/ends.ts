import type { ends as english } from '../en/ends.ts';
import type { Translation } from '../texts.ts';

export const ends: Translation<typeof english> = {
  noFunction: '没有函数 {{name}}',
  noScript: '没有脚本 {{name}}',
  noFile: '没有文件 {{name}}',
  noAnswerIn: '{{seconds}} 秒内没有回答',
  notEndedIn: '{{seconds}} 秒内没有结束',
  processorTime: '进程可用的处理器时间已用完',
  exited: '进程以退出码 {{code}} 结束',
  killedBy: '进程被信号 {{signal}} 终止',
  killed: '进程被终止',
  channelClosed: '进程关闭了与评分程序的通道',
  memoryOver: '内存超过 {{mebi}} MiB',
  processesOver: '进程超过 {{number}} 个',
  threadsOver: '线程超过 {{number}} 个',
  bytesOver: '文件总量超过 {{mebi}} MiB',
  filesOver: '文件超过 {{number}} 个',
  diskFull: '磁盘已满，原因是提交物的文件',
  printedOver: '输出超过 {{mebi}} MiB',
  endlessSchema: '触发器、视图或约束使 SQLite 一直忙碌，无法结束',
  hungrySchema: '触发器、视图或约束耗尽了内存',
  notJson: '{{file}} 不是 JSON：{{reason}}',
  notInt: '{{file}}：{{table}} 第 {{row}} 行的 {{column}} 不是整数',
  notObject: '{{file}}：{{table}} 第 {{row}} 行的 {{column}} 不是 JSON 对象',
  databaseGone: '数据库已经无法使用：{{message}}',
  sent: '进程发来了错误的应答：{{what}}',
};
