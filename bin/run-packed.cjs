// The part of bin/willcall.cjs that needs a new Node.js.
'use strict';
const { pathToFileURL } = require('node:url');

exports.run = (file) => import(pathToFileURL(file));
