import type { script as english } from '../en/script.ts';
import type { Translation } from '../texts.ts';

export const script: Translation<typeof english> = {
  title: '{{lab}}，条款 {{id}}：{{statement}}。',
  exits: '问题仍在时退出码为 1，修好之后为 0。',
  ends: '问题仍在时，执行不到最后一行。',
  allBack: '所有调用都返回了',
  node: '用 Node 运行；TypeScript 需要 Node 22.18 或更高版本。',
  secondProcess: '第二个进程，在打开数据库之前启动。',
  ownConnection: '与提交代码不同的另一个连接',
  waiting: '调用已经开始，正在等待锁',
  json: '表示这个值的 JSON 文本',
  oneOf: '其中之一',
  through: '按此顺序包含这些项的列表',
  same: '== 会把 True 与 1、1 与 1.0 视为相等',
  elsewhere: '评分时在另一个进程中调用',
  held: '评分时由另一个进程持有写锁，然后发起调用，并在其等待期间提交了以下语句：',
  rows: '行',
};
