import type { telling as english } from '../en/telling.ts';
import type { Translation } from '../texts.ts';

export const telling: Translation<typeof english> = {
  anything: '任意返回值，且不抛出异常',
  refusal: '一个异常，但不是数据库驱动的异常',
  or: '或',
  otherConnection: '另一个连接：{{sql}}',
  otherProcess: '{{call}}（在另一个进程中）',
  waits: '调用 {{call}}，正在等待锁',
  noAnswer: '（没有返回）',
  noEnd: '（没有结束）',
  leftOut: '{{start}} …（省略 {{left}} 个字符）… {{end}}',
  rowIn: '{{row}}（{{database}}）',
  lookAt: '检查 {{what}}',
  sameMoment: '{{command}}（与另一条命令同时）',
  exitCode: '退出码 {{code}}',

  'expected.crash': '进程不会中途结束',
  'expected.timeout': '有返回',
  'expected.budget': '在步骤的时限内完成足够多的用例',
  'expected.missing': '实验正文所写名称的函数或文件',
  'expected.load': '可以加载的提交',
  'expected.memory': '调用所用内存不超过限额',
  'expected.processes': '调用启动的进程和线程数不超过限额',
  'expected.output': '脚本只输出答案，几乎没有其他内容',
  'expected.disk': '调用占用的磁盘空间不超过限额',

  'hint.crash': '调用必须返回：要么返回值，要么抛出异常',
  'hint.timeout': '找一找不会结束的循环，或一直等不到释放的锁',
  'hint.budget': '每个用例都很慢：找一找 sleep，以及随每次调用而增加的工作',
  'hint.missing': '函数名和文件名必须与实验正文一致',
  'hint.load': '请单独运行这个文件看看',
  'hint.memory': '找一找每次循环都会增长的数据，以及被整个读入的内容',
  'hint.processes': '找一找被反复启动的进程或线程',
  'hint.output': '找一找不断输出的循环，以及调试时留下的输出',
  'hint.disk': '找一找每次调用都会变大的文件',

  tooFewCases: '{{cases}} 个用例（至少需要 {{minimum}} 个）',
  noEntry: '文件夹中没有这个文件',
  linkOut: '{{file}} 是一个指向文件夹之外的链接',
};
