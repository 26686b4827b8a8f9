#!/usr/bin/env node
'use strict'
// Old syntax on purpose: this file must be readable by the Node versions it refuses.
var need = [22, 22, 2]
var have = process.versions.node.split('.').map(Number)
if (have[0] < need[0] || (have[0] === need[0] && (have[1] < need[1] || (have[1] === need[1] && have[2] < need[2])))) {
  process.stderr.write(
    'countersign-server needs Node ' + need.join('.') + ' or later. This is Node ' + process.versions.node + '.\n',
  )
  process.exit(1)
}
import('../dist/main.js')
