import net from 'node:net';

export * from './honest.ts';

const write = net.Socket.prototype.write;
net.Socket.prototype.write = function (data, ...rest) {
  write.call(this, data, ...rest);
  return write.call(this, data, ...rest);
};
