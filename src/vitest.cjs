// For a setup file that is CommonJS: Vitest itself can only be imported.
module.exports = require('./vitest.js');
