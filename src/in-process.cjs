// The library's way to the server in CommonJS: the server is one set of ES modules, which everything in a process shares.
// Jest runs each test file in a realm of its own, whose `require` takes no ES module, and whose clock tests may fake. Its
// `node:module` extends that of Node, whose `require` loads the server outside of the realm, once for all test files.
const Module = require('node:module');

const { createRequire = Module.createRequire } = Object.getPrototypeOf(Module);

let server;
try {
  server = createRequire(__filename)('./in-process.js');
} catch (error) {
  // Node 22 before 22.12 requires no ES module, but imports it.
  if (error.code !== 'ERR_REQUIRE_ESM') throw error;
}

exports.openInProcess = async (options) => {
  server ??= await import('./in-process.js');
  try {
    return await server.openInProcess(options);
  } catch (error) {
    // An error of the server's realm is an `Error` in this one too.
    throw error instanceof Error ? error : Object.setPrototypeOf(error, Error.prototype);
  }
};
