#!/usr/bin/env node
// Runs the program out of the package that npm chose for this machine, and ends as it does.
'use strict';

const { spawn } = require('node:child_process');
const { constants } = require('node:os');

const CANNOT = 2;
const machine = `${process.platform}-${process.arch}`;
const name = process.platform === 'win32' ? 'agent-memory.exe' : 'agent-memory';

let program;
try {
  program = require.resolve(`agent-memory-in-git-${machine}/bin/${name}`);
} catch {
  console.error(`error: there is no program for \`${machine}\``);
  console.error('hint: install without `--omit=optional`, or build it with `cargo install`');
  process.exit(CANNOT);
}

const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' });
// A server is ended by a signal to this process, and must not outlive it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child.kill(signal));
}
child.on('error', (error) => {
  console.error(`error: cannot start \`${program}\`: ${error.message}`);
  process.exit(CANNOT);
});
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
