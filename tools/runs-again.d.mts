export function judgeRunsAgain(files: readonly string[], record: string): number;
