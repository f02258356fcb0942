// Ends with one sentence if Node.js is too old. Old versions must be able to parse this file: ES5 only.
'use strict';
var needed = /\d+(\.\d+)*/.exec(require('../package.json').engines.node)[0];

function isOlder(version, than) {
  var have = version.split('.');
  var need = than.split('.');
  for (var part = 0; part < need.length; part += 1) {
    var difference = Number(have[part]) - Number(need[part]);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

if (isOlder(process.versions.node, needed)) {
  var sentence = 'Willcall needs Node.js ' + needed + ' or newer, and this is ' + process.versions.node;
  console.error(sentence + ': get one at https://nodejs.org.');
  process.exit(1);
}
