import type { LabMessages } from '../../../harness/contract.ts';

const leftBehind = '单独看，每个函数都是对的；看看前一个函数给后一个函数留下了什么';

export const zh: LabMessages = {
  title: '删除幂等键，保证也随之结束',
  steps: {
    1: 'init_db',
    2: 'reserve',
    3: 'finish',
    4: 'fetch',
    5: 'expired',
    6: 'purge',
    7: 'counts',
    8: 'retention_cycle',
  },
  clauses: {
    '1.1': {
      statement: '表按顺序具有契约规定的五列，并接受每一种合法的行',
      hint: '把列名、类型、NOT NULL 和 PRIMARY KEY 与契约逐字对照',
    },
    '1.2': {
      statement: '无论从哪个进程再次调用，都不抛出异常，行和表结构保持不变',
      hint: '第二次调用会遇到什么第一次没有遇到的东西？',
    },
    '2.1': {
      statement: '不存在的键以 pending 状态插入，没有响应，返回 True',
      hint: '哪个值进哪一列？是否原样保存？',
    },
    '2.2': {
      statement: '已存在的键无论状态、摘要、到期时间如何都保持原样，返回 False',
      hint: '过期的键也是键',
    },
    '2.3': {
      statement: '查看键和占用键一气呵成：其间出现或消失的行会被正确对待',
      hint: '先查看、后插入，会给另一个进程留下空隙',
    },
    '2.4': { statement: '无论以什么顺序调用，reserve 都与模型一致', hint: leftBehind },
    '3.1': {
      statement: '摘要相符的 pending 行，无论是否过期，都变为 done，响应存为 JSON 文本',
      hint: '每个 JSON 值都是响应：None、False、0 和空列表也是',
    },
    '3.2': {
      statement: '键不存在、摘要不符或已是 done：什么都不变，返回 False',
      hint: 'id、摘要、状态，三者必须同时成立',
    },
    '3.3': {
      statement: '查看行和完成行一气呵成：抢先一步的另一个进程的结果受到尊重',
      hint: '先查看、后更新，会给另一个进程留下空隙',
    },
    '3.4': { statement: '无论以什么顺序调用，finish 都与模型一致', hint: leftBehind },
    '4.1': {
      statement: '到期之前，done 的行会被重放：返回表中现有响应解析后的值',
      hint: '为假的响应也是响应',
    },
    '4.2': {
      statement: '从到期的那一刻起，以及对任何其他键，答案都是 None；行保留',
      hint: '恰好在 `expires` 这一刻，应当如何？',
    },
    '4.3': { statement: '无论以什么顺序调用，fetch 的回答都与模型一致', hint: leftBehind },
    '5.1': {
      statement: '返回 done 且已到期（包括恰好等于 now）的 id，按码点升序；行保留',
      hint: '按与 id 不同的顺序放入几行，其中一行恰好此刻到期',
    },
    '5.2': {
      statement: '最多返回前 `limit` 个 id；不给出时为 10 个',
      hint: '放入比 limit 更多的行，顺序打乱',
    },
    '5.3': {
      statement: '不是 1 到 100 的 int 的 limit 会被自己的异常拒绝；行保留',
      hint: '在 Python 中 True 也是 int，而 SQLite 对负的 LIMIT 另有解释',
    },
    '5.4': { statement: '无论以什么顺序调用，expired 的回答都与模型一致', hint: leftBehind },
    '6.1': {
      statement: 'done 且已到期的 id 被删除，其余全部保留；返回被删 id 的列表，按码点升序',
      hint: 'pending 的行再旧也不会被删除',
    },
    '6.2': {
      statement: '最多删除前 `limit` 行；不给出时为 10 行',
      hint: '放入比 limit 更多的行，顺序打乱',
    },
    '6.3': {
      statement: '不是 1 到 100 的 int 的 limit 会被自己的异常拒绝；一行也不删除',
      hint: '与第 5 步相同的检查，并且在删除任何东西之前',
    },
    '6.4': {
      statement: 'SELECT 与 DELETE 之间行不会变化：其间重新出现的键会保留',
      hint: '事务从什么时候开始：SELECT 之前，还是到 DELETE 才开始？',
    },
    '6.5': {
      statement: '只要有一行无法删除，就一行也不删：不会把还在的行报告为已删，也不留下锁',
      hint: '事务无论如何都要结束：要么 COMMIT，要么 ROLLBACK',
    },
    '6.6': { statement: '无论以什么顺序调用，purge 都与模型一致', hint: leftBehind },
    '7.1': {
      statement: '两种状态各按其名计数，包括 0；行保留',
      hint: '空表也有这两个计数',
    },
    '7.2': { statement: '无论以什么顺序调用，counts 的回答都与模型一致', hint: leftBehind },
    '8.1': {
      statement: '从空表开始，第二次预留成功：返回 True，并且该行存在',
      hint: '在 10 到期的键，哪一刻会被删除？',
    },
    '8.2': {
      statement: '键以 v1 预留，以 {receipt: 1} 完成，被清除，再以 v2 预留',
      hint: '要真正走完整个周期，而不只是得到最后的状态',
    },
    '8.3': {
      statement: '无论以什么顺序调用（包括 retention_cycle），所有函数都与模型一致',
      hint: leftBehind,
    },
  },
  mutants: {
    'create-without-if-not-exists': '第二次调用时表已经存在，于是抛出异常。',
    'reserve-or-replace': '已有的键连同为它保存的响应一起被覆盖。',
    'finish-again': '已经 done 的键又被完成一次，之前重放的响应就丢失了。',
    'fetch-at-expiry': '恰好到期的那一刻，响应仍会被重放。',
    'expired-descending': '有两个候选时，id 较大的排在前面。',
    'purge-pending': '请求还在处理，旧的 pending 行就被清除了。',
    'counts-pending-as-zero': 'pending 的行完全没有计数。',
    'cycle-purges-at-9': '在时刻 9，到 10 才到期的键还没有到期，于是第二次预留失败。',
  },
};
