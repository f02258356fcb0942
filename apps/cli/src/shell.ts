/** How a printed command is written so that it can be pasted into the shell of this machine. */
export type Shell = Readonly<{
  /** One argument, quoted; undefined where no quoting is safe in every shell of the machine. */
  quote(argument: string): string | undefined;
  curl: string;
  /** `npm run willcall --`, which the command and its arguments follow. */
  willcall: string;
  /** A shell in which a JSON body can be written as an argument. */
  takesJson: boolean;
}>;

const POSIX: Shell = {
  quote: (argument) => `'${argument.replaceAll("'", String.raw`'\''`)}'`,
  curl: 'curl',
  willcall: 'npm run willcall --',
  takesJson: true,
};

/** For cmd.exe and PowerShell alike: neither knows the other's way to quote a quote or to escape a variable. */
const WINDOWS: Shell = {
  quote: (argument) => (/["$`%]/.test(argument) ? undefined : `"${argument}"`),
  // In PowerShell 5 `curl` is another program, and `npm` is a script that loses the `--`.
  curl: 'curl.exe',
  willcall: 'npm.cmd run willcall --',
  takesJson: false,
};

export const shellOf = (platform: NodeJS.Platform): Shell => (platform === 'win32' ? WINDOWS : POSIX);
