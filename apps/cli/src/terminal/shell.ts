/** How to print a command so that it can be pasted into the shell of this machine. */
export type Shell = Readonly<{
  /** One quoted argument; undefined if no quoting is safe in every shell of the machine. */
  quote(argument: string): string | undefined;
  curl: string;
  /** `npm run willcall --`; the command and its arguments follow. */
  willcall: string;
  /** Whether a JSON body can be written as an argument. */
  supportsJson: boolean;
}>;

const POSIX: Shell = {
  quote: (argument) => `'${argument.replaceAll("'", String.raw`'\''`)}'`,
  curl: 'curl',
  willcall: 'npm run willcall --',
  supportsJson: true,
};

/** For both cmd.exe and PowerShell. Each quotes quotes and escapes variables in its own way. */
const WINDOWS: Shell = {
  quote: (argument) => (/["$`%]/.test(argument) ? undefined : `"${argument}"`),
  // In PowerShell 5 `curl` is another program, and `npm` is a script that loses the `--`.
  curl: 'curl.exe',
  willcall: 'npm.cmd run willcall --',
  supportsJson: false,
};

export const shellOf = (platform: NodeJS.Platform): Shell => (platform === 'win32' ? WINDOWS : POSIX);
