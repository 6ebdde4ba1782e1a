// Loaded before a counterpart's own code: a server that names no host listens on the loopback, not
// on every network, and every server says where. `_listen2` binds at once, as without a host;
// `listen` with one would look its name up first, and some of these programs do not wait for that.
const net = require("node:net");
const { _listen2: listen } = net.Server.prototype;

net.Server.prototype._listen2 = function (address, port, family, ...rest) {
  this.once("listening", () => process.stderr.write(`listening at ${this.address().port}\n`));
  const everywhere = address === null && typeof port === "number" && port >= 0;
  return everywhere
    ? listen.call(this, "127.0.0.1", port, 4, ...rest)
    : listen.call(this, address, port, family, ...rest);
};
