import { posix } from 'node:path';
import ts from 'typescript';

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
  if (clause.name || !named || !ts.isNamedImports(named)) return false;
  return named.elements.length > 0 && named.elements.every((element) => element.isTypeOnly);
}

function isTypeOnlyExport({ isTypeOnly: whole, exportClause }: ts.ExportDeclaration): boolean {
  if (whole) return true;
  if (!exportClause || !ts.isNamedExports(exportClause)) return false;
  return exportClause.elements.length > 0 && exportClause.elements.every((element) => element.isTypeOnly);
}

/** `import()` and `require()`. Node's resolve functions load nothing. */
export function isLoadingCall(node: ts.Node): node is ts.CallExpression {
  if (!ts.isCallExpression(node)) return false;
  return node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText() === 'require';
}

function specifierOf(node: ts.Node): [specifier: ts.Node | undefined, typeOnly: boolean] {
  if (ts.isImportDeclaration(node)) return [node.moduleSpecifier, isTypeOnly(node.importClause)];
  if (ts.isExportDeclaration(node)) return [node.moduleSpecifier, isTypeOnlyExport(node)];
  if (ts.isExternalModuleReference(node)) return [node.expression, false];
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return [node.argument.literal, true];
  if (isLoadingCall(node)) return [node.arguments[0], false];
  return [undefined, false];
}

/** All imports of a file with a literal address. */
export function importsOf(path: string, nodes: readonly ts.Node[]): Import[] {
  return nodes.flatMap((node) => {
    const [specifier, typeOnly] = specifierOf(node);
    if (!specifier || !ts.isStringLiteralLike(specifier)) return [];
    const { text } = specifier;
    const relative = text.startsWith('.');
    const alias = /^#([^/]+)\/(.+)$/.exec(text);
    let target = text;
    if (relative) target = posix.join(posix.dirname(path), text);
    if (alias) target = `libs/${alias[1]}/src/${alias[2]}`;
    return [{ target, relative, typeOnly, ours: relative || alias !== null }];
  });
}
