import { posix } from 'node:path';
import ts from 'typescript';
import { everyNode, type Import, importsOf, isLoadingCall, parse } from './imports.js';
import { LIBS } from './lib-map.js';

// Looking them up in the module at each use would take half of the time.
const {
  isAsExpression,
  isConstructorDeclaration,
  isElementAccessExpression,
  isExportDeclaration,
  isExpression,
  isIdentifier,
  isImportDeclaration,
  isNewExpression,
  isObjectBindingPattern,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isStringLiteralLike,
  isTypeAssertionExpression,
  isVariableDeclaration,
} = ts;

/** A file as the rules see it. `path` is relative to the repository's root, with forward slashes. */
type Subject = {
  path: string;
  source: string;
  file: ts.SourceFile;
  nodes: readonly ts.Node[];
  imports: readonly Import[];
  /** `libs/domain`, `apps/api`, `test` … */
  area: string;
  isSpec: boolean;
};
type Rule = (subject: Subject) => string[];

const MAX_LINES = 400;
const MAX_CONSTRUCTOR_PARAMETERS = 5;

/** Besides zod, contracts import only tables and checksums. */
const CONTRACT_PACKAGES = [
  'zod',
  'card-validator',
  'iso-3166-1',
  'iso-3166-2',
  'postal-codes-js',
  '@zxcvbn-ts/language-common',
];

const areaOf = (path: string) => /^(?:apps|libs)\/[^/]+|^[^/]+/.exec(path)?.[0] ?? path;

const offending = (imports: readonly Import[], says: string, isOffence: (entry: Import) => boolean) =>
  imports.filter(isOffence).map(({ target }) => `${says} (${target})`);

const appsAndLibs: Rule = ({ imports, area, isSpec }) => {
  if (!/^(apps|libs)\//.test(area)) return [];
  const kind = area.startsWith('libs/') ? 'a lib' : 'an app';
  return [
    ...offending(imports, `${kind} imports an app`, (entry) => {
      const target = areaOf(entry.target);
      return entry.ours && target.startsWith('apps/') && target !== area;
    }),
    // Specs may use test/support. Code that ships may not.
    ...offending(imports, `${kind} imports what is for tests, benches or tools`, (entry) => {
      const forSpecs = isSpec && entry.target.startsWith('test/support/');
      return entry.ours && /^(test|bench|tools)\//.test(entry.target) && !forSpecs;
    }),
    ...offending(imports, 'reaches into another lib by a relative path instead of #lib/file', (entry) => {
      return entry.relative && entry.target.startsWith('libs/') && areaOf(entry.target) !== area;
    }),
  ];
};

/** `libs/orders` → `orders`; undefined outside libs. */
const libOf = (area: string) => /^libs\/(.+)$/.exec(area)?.[1];

const libsKeepToTheMap: Rule = ({ imports, area, isSpec }) => {
  const name = libOf(area);
  if (name === undefined) return [];
  const lib = LIBS[name];
  if (!lib) return ['is in a lib that is not on the map (test/architecture/lib-map.ts)'];
  const { imports: allowed, types = [], specs = [] } = lib;
  return imports.flatMap(({ target, ours, typeOnly }) => {
    const other = ours ? libOf(areaOf(target)) : undefined;
    if (other === undefined || other === name || allowed.includes(other)) return [];
    if ((types.includes(other) && (typeOnly || isSpec)) || (isSpec && specs.includes(other))) return [];
    const what = types.includes(other) ? 'more than types' : 'anything';
    return [`the map does not let ${name} import ${what} from ${other} (${target})`];
  });
};

/** `libs/discovery/src/search/text/stemmer.ts` → `search/text`; undefined for a file directly in src. */
const folderOf = (path: string) => /^libs\/[^/]+\/src\/(.+)\/[^/]+$/.exec(path)?.[1];

/** Only the files directly in a lib's src are for others. */
const foldersArePrivate: Rule = ({ imports, area, isSpec }) => {
  if (isSpec || !/^(apps|libs)\//.test(area)) return [];
  return offending(imports, 'reaches into a folder of another lib', ({ ours, target }) => {
    return ours && target.startsWith('libs/') && areaOf(target) !== area && folderOf(target) !== undefined;
  });
};

const foldersKeepToTheLayers: Rule = ({ path, imports, area }) => {
  const { layers } = LIBS[libOf(area) ?? ''] ?? {};
  const own = folderOf(path) ?? '';
  if (!layers?.some((layer) => posix.dirname(layer) === own.split('/')[0])) return [];
  if (!layers.includes(own)) return [`is in no layer of its lib (${layers.join(', ')})`];
  return imports
    .filter(({ ours, target }) => ours && areaOf(target) === area)
    .filter(({ target }) => layers.indexOf(folderOf(target) ?? '') > layers.indexOf(own))
    .map(({ target }) => `the layer ${own} imports one above it (${target})`);
};

const domainIsPure: Rule = ({ imports, area, isSpec }) => {
  if (area !== 'libs/domain' || isSpec) return [];
  return offending(imports, 'domain imports a package', ({ ours }) => !ours);
};

const IMPURE = new Set(['process', 'Buffer', 'fetch', 'crypto', 'console', 'performance', 'setTimeout', 'setInterval']);

/** The domain must be deterministic and must run in a browser. */
const domainIsSelfContained: Rule = ({ nodes, area, isSpec }) => {
  if (area !== 'libs/domain' || isSpec) return [];
  const impure = nodes.filter((node) => {
    if (isPropertyAccessExpression(node)) return ['Date.now', 'Math.random'].includes(node.getText());
    if (isNewExpression(node)) return node.expression.getText() === 'Date' && !node.arguments?.length;
    return isIdentifier(node) && IMPURE.has(node.text) && isExpression(node) && !isMemberName(node);
  });
  return impure.map((node) => `domain uses the clock, randomness or the platform (${node.getText()})`);
};

/** `process` in `order.process`, `{ process: 1 }` or `type Order = { process: string }` is not the global. */
function isMemberName(node: ts.Identifier): boolean {
  return (node.parent as { name?: ts.Node }).name === node;
}

const DERIVED =
  /^libs\/(?:orders\/src\/(?:read-models|projections)|listings|outbound|upkeep)\/|^libs\/orders\/src\/[^/]*(?:\.projection|-queries|-row)\.ts$/;

/** Derived data only maps the state of an order. Only use cases decide. */
const derivedDataDecidesNothing: Rule = ({ path, imports, isSpec }) => {
  if (isSpec || !DERIVED.test(path)) return [];
  return offending(imports, 'decides about an order', ({ target, typeOnly }) => {
    return target === 'libs/domain/src/order' && !typeOnly;
  });
};

/** Any program may use a contract: it knows neither the database nor Node.js. */
const contractsStandAlone: Rule = ({ path, imports }) => {
  if (!path.endsWith('.contract.ts')) return [];
  return offending(imports, 'a contract imports more than contracts and validators', ({ ours, target }) => {
    if (!ours) return !CONTRACT_PACKAGES.includes(target);
    return !isContract(target) && !isLimits(target) && !['libs/domain', 'libs/base'].includes(areaOf(target));
  });
};

const isContract = (target: string) => /\.contract(\.js)?$/.test(target);
const isLimits = (target: string) => /\.limits(\.js)?$/.test(target);

/** The console imports their values, and must not get a validator with them. */
const limitsArePlainValues: Rule = ({ imports, path }) =>
  path.endsWith('.limits.ts') ? offending(imports, 'limits import something', () => true) : [];

/** The console is a page of its own: it knows the server by its API, whose types and limits it shares. */
const consoleKnowsTheContractsOnly: Rule = ({ imports, area, isSpec }) => {
  if (area !== 'apps/console' || isSpec) return [];
  return offending(
    imports,
    'the console imports more than types of contracts, and limits',
    ({ ours, target, typeOnly }) => {
      if (target.startsWith('node:')) return true;
      if (!ours || areaOf(target) === area || isLimits(target)) return false;
      return !(typeOnly && (isContract(target) || target.startsWith('types/')));
    },
  );
};

/** Dependencies that the published client may have. */
const CLIENT_PACKAGES = ['eventsource-parser', 'standardwebhooks'];

const clientIsPublished: Rule = ({ imports, area, isSpec }) => {
  if (area !== 'libs/client' || isSpec) return [];
  return offending(imports, 'the client imports what is not published with it', ({ ours, target }) => {
    return !ours && !target.startsWith('node:') && !CLIENT_PACKAGES.includes(target);
  });
};

/** The rule who sees which order, its SQL, and the same of listings. Whoever asks differently for sellers or reviews shows too much one day. */
const ACCESS = ['libs/domain/src/order-access.ts', 'libs/accounts/src/seen-orders.ts', 'libs/listings/src/listings.ts'];
const ASKS_FOR_ACCESS =
  /\bseller\)? *(?:=|<>|is|in|is distinct from) *(?:any *\(|\$|')|\bsellers?\b[^\n,]*\.(?:includes|some)\(|\.includes\([\w.?]*seller\)|\bqueue\b[^\n]{0,20}'review'/;

const accessIsOneRule: Rule = ({ path, source, area, isSpec }) => {
  const isAsked = /^(?:libs|apps\/(?!console))/.test(area) && !isSpec && !path.includes('/migrations/');
  if (!isAsked || ACCESS.includes(path)) return [];
  const [found] = ASKS_FOR_ACCESS.exec(source) ?? [];
  return found === undefined ? [] : [`decides who sees an order beside #domain/order-access (${found})`];
};

/** The rules cannot check computed imports. */
const importsAreLiteral: Rule = ({ nodes }) =>
  nodes
    .filter(isLoadingCall)
    .filter(({ arguments: [address] }) => !address || !isStringLiteralLike(address))
    .map((call) => `loads a computed address (${call.getText()})`);

/** Besides these, only tools and tests read the environment. */
const READERS = /^libs\/base\/src\/(?:config\/|load-settings\.ts$|run-by-npm\.ts$|service-settings\.ts$)/;

const configReadsTheEnvironment: Rule = ({ path, nodes, area }) => {
  if (READERS.test(path) || ['tools', 'test'].includes(area)) return [];
  const isProcess = (node: ts.Node | undefined) =>
    node !== undefined && /^(globalThis\.)?process$/.test(node.getText());
  const reads = nodes.filter((node) => {
    if (isPropertyAccessExpression(node)) return node.name.text === 'env' && isProcess(node.expression);
    if (isElementAccessExpression(node)) {
      const { argumentExpression: key } = node;
      return isStringLiteralLike(key) && key.text === 'env' && isProcess(node.expression);
    }
    if (isVariableDeclaration(node)) return isProcess(node.initializer) && /\benv\b/.test(node.name.getText());
    if (!isImportDeclaration(node)) return false;
    return /^['"](node:)?process['"]$/.test(node.moduleSpecifier.getText());
  });
  return reads.map((node) => `reads the environment outside libs/base/src/config (${node.getText()})`);
};

const SESSION = 'libs/database/src/session.ts';

/** A connection to PostgreSQL that somebody puts together by hand lacks what every session needs. */
const sessionsBeginAlike: Rule = ({ path, nodes, area, isSpec }) => {
  if (isSpec || path === SESSION || !/^(apps|libs)\//.test(area)) return [];
  const byHand = nodes.filter((node) => {
    if (isObjectLiteralExpression(node)) {
      return node.properties.some(({ name }) => name?.getText() === 'connectionString');
    }
    if (!isNewExpression(node) || !/^pg\.(Client|Pool)$/.test(node.expression.getText())) return false;
    const [config] = node.arguments ?? [];
    return config === undefined || !isObjectLiteralExpression(config);
  });
  return byHand.map((node) => `opens a session without ${SESSION} (${node.getText()})`);
};

const noBarrels: Rule = ({ file }) => {
  const { statements } = file;
  const passesOn = statements.some((statement) => isExportDeclaration(statement));
  const onlyThat = statements.every((node) => isExportDeclaration(node) || isImportDeclaration(node));
  return passesOn && onlyThat ? ['only re-exports: import the file itself'] : [];
};

const VAGUE = /^(utils?|helpers?|common|index|misc)$/;

const namesSaySomething: Rule = ({ path }) => {
  const folders = posix.dirname(path).split('/');
  const name = posix.basename(path).replace(/\.tsx?$/, '');
  const words = name.split(/[-.]/);
  const breaches: string[] = [];
  if (folders.some((folder) => VAGUE.test(folder))) breaches.push('is in a folder with a vague name');
  if (
    VAGUE.test(name) ||
    name.startsWith('base-') ||
    words.some((word) => /^impl(ementation)?s?$|^utils?$|^helpers?$/.test(word))
  ) {
    breaches.push('has a vague name');
  }
  if (!/^[a-z0-9]+([-.][a-z0-9]+)*$/.test(name)) breaches.push('is not named in kebab-case');
  return breaches;
};

const filesAreShort: Rule = ({ source }) => {
  const lines = source.replace(/\n$/, '').split('\n').length;
  return lines > MAX_LINES ? [`has ${lines} lines, more than ${MAX_LINES}`] : [];
};

const constructorsAreSmall: Rule = ({ nodes }) =>
  nodes
    .filter((node) => isConstructorDeclaration(node))
    .filter(({ parameters }) => parameters.length > MAX_CONSTRUCTOR_PARAMETERS)
    .map(
      ({ parameters }) => `a constructor takes ${parameters.length} things, more than ${MAX_CONSTRUCTOR_PARAMETERS}`,
    );

/** Libs return the types of the contract. A cast would hide a difference. */
const controllersCastNothing: Rule = ({ path, nodes }) => {
  if (!/\.controllers?\.tsx?$/.test(path)) return [];
  const casts = nodes.filter((node) => isAsExpression(node) || isTypeAssertionExpression(node));
  return casts.filter(({ type }) => type.getText() !== 'const').map((cast) => `a controller casts (${cast.getText()})`);
};

/** TypeScript believes them without a look at the value. */
const consoleCastsNothingAway: Rule = ({ path, nodes }) => {
  if (!path.startsWith('apps/console/')) return [];
  const casts = nodes.filter((node) => isAsExpression(node) || isTypeAssertionExpression(node));
  return casts
    .filter(({ type }) => /^(?:any|never|unknown)$/.test(type.getText()))
    .map((cast) => `casts without a check (${cast.getText()})`);
};

/** Where useSearch is taken apart at once, TypeScript infers `any` from the pattern. */
const consoleNamesItsSearch: Rule = ({ path, nodes }) => {
  if (!path.startsWith('apps/console/')) return [];
  return nodes
    .filter((node) => isVariableDeclaration(node) && isObjectBindingPattern(node.name))
    .filter((node) => /= useSearch\(/.test(node.getText()))
    .map((node) => `reads a search that has no type (${node.getText()})`);
};

/** The one place that parses, the published client, the page in the browser, and files of settings, which the administrator writes. */
const PARSERS = /^(?:libs\/base\/src\/(?:json\.ts$|config\/)|libs\/client\/|apps\/console\/)/;

/** JSON.parse changes long whole numbers without a word, and what others send passes through in many places. */
const jsonKeepsItsDigits: Rule = ({ path, nodes, imports, area, isSpec }) => {
  if (isSpec || !/^(?:apps|libs)\//.test(area) || PARSERS.test(path)) return [];
  const parsed = nodes.filter((node) => isPropertyAccessExpression(node) && node.getText() === 'JSON.parse');
  return [
    ...parsed.map(() => 'parses JSON without parseJson or parseForeignJson of #base/json'),
    ...offending(imports, 'parses JSON by itself', ({ target }) =>
      ['secure-json-parse', 'lossless-json'].includes(target),
    ),
  ];
};

const rules: readonly Rule[] = [
  appsAndLibs,
  libsKeepToTheMap,
  foldersArePrivate,
  foldersKeepToTheLayers,
  domainIsPure,
  domainIsSelfContained,
  derivedDataDecidesNothing,
  contractsStandAlone,
  jsonKeepsItsDigits,
  consoleKnowsTheContractsOnly,
  limitsArePlainValues,
  clientIsPublished,
  accessIsOneRule,
  importsAreLiteral,
  configReadsTheEnvironment,
  sessionsBeginAlike,
  noBarrels,
  namesSaySomething,
  filesAreShort,
  constructorsAreSmall,
  controllersCastNothing,
  consoleCastsNothingAway,
  consoleNamesItsSearch,
];

/** The breaches of the architecture in one file, as `path: breach`. */
export function breachesOf(path: string, source: string): string[] {
  const file = parse(path, source);
  const nodes = everyNode(file);
  const isSpec = /\.(spec|int-spec|e2e-spec)\.tsx?$/.test(path);
  const subject = { path, source, file, nodes, imports: importsOf(path, source, nodes), area: areaOf(path), isSpec };
  return rules.flatMap((rule) => rule(subject)).map((breach) => `${path}: ${breach}`);
}
