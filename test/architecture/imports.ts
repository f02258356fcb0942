import { posix } from 'node:path';
import ts from 'typescript';

// Looking them up in the module at each use would take half of the time.
const {
  isCallExpression,
  isExportDeclaration,
  isExternalModuleReference,
  isIdentifier,
  isImportDeclaration,
  isImportTypeNode,
  isLiteralTypeNode,
  isNamedExports,
  isNamedImports,
  isStringLiteralLike,
} = ts;

export type Import = {
  /** A path in the repository for our own files, else the name of the package or builtin. */
  target: string;
  ours: boolean;
  relative: boolean;
  /** Removed by the compiler: `import type`, or only `type` names in the braces. */
  typeOnly: boolean;
};

export function parse(path: string, source: string): ts.SourceFile {
  return ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
}

export function everyNode(file: ts.SourceFile): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return nodes;
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  if (clause.name || !named || !isNamedImports(named)) return false;
  return named.elements.length > 0 && named.elements.every((element) => element.isTypeOnly);
}

function isTypeOnlyExport({ isTypeOnly: whole, exportClause }: ts.ExportDeclaration): boolean {
  if (whole) return true;
  if (!exportClause || !isNamedExports(exportClause)) return false;
  return exportClause.elements.length > 0 && exportClause.elements.every((element) => element.isTypeOnly);
}

/** `import()` and `require()`. Node's resolve functions load nothing. */
export function isLoadingCall(node: ts.Node): node is ts.CallExpression {
  if (!isCallExpression(node)) return false;
  const { expression } = node;
  return expression.kind === ts.SyntaxKind.ImportKeyword || (isIdentifier(expression) && expression.text === 'require');
}

function specifierOf(node: ts.Node): [specifier: ts.Node | undefined, typeOnly: boolean] {
  if (isImportDeclaration(node)) return [node.moduleSpecifier, isTypeOnly(node.importClause)];
  if (isExportDeclaration(node)) return [node.moduleSpecifier, isTypeOnlyExport(node)];
  if (isExternalModuleReference(node)) return [node.expression, false];
  if (isImportTypeNode(node) && isLiteralTypeNode(node.argument)) return [node.argument.literal, true];
  if (isLoadingCall(node)) return [node.arguments[0], false];
  return [undefined, false];
}

const known = new Map<string, readonly Import[]>();

/** All imports of a file with a literal address. Several rules ask for those of the same file, and parsing takes long. */
export function importsOf(path: string, source: string, nodes?: readonly ts.Node[]): readonly Import[] {
  const key = `${path}\n${source}`;
  const imports = known.get(key) ?? importsIn(path, nodes ?? everyNode(parse(path, source)));
  known.set(key, imports);
  return imports;
}

function importsIn(path: string, nodes: readonly ts.Node[]): Import[] {
  return nodes.flatMap((node) => {
    const [specifier, typeOnly] = specifierOf(node);
    if (!specifier || !isStringLiteralLike(specifier)) return [];
    const { text } = specifier;
    const relative = text.startsWith('.');
    const alias = /^#([^/]+)\/(.+)$/.exec(text);
    let target = text;
    if (relative) target = posix.join(posix.dirname(path), text);
    if (alias) target = `libs/${alias[1]}/src/${alias[2]}`;
    return [{ target, relative, typeOnly, ours: relative || alias !== null }];
  });
}
