// `node --import ./end-with-stdin.mjs PROGRAM` ends when its stdin closes: with the process that started it, however that ended.
process.stdin.resume().on('close', () => process.kill(process.pid, 'SIGTERM'))
