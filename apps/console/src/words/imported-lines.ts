export const lines = (count: number): string => (count === 1 ? '1 line' : `${count.toLocaleString('en-US')} lines`);

/** What the imports of listings and orders say about a file. */
export const importedLines = {
  template: 'Begin with a template.',
  failed: (failed: number, isPreview: boolean) =>
    isPreview ? `${lines(failed)} will be left out:` : `${lines(failed)} left out:`,
  faulty: 'Save these lines as a file',
  faultyName: (file: string) => `faulty-${file}`,
  title: 'Problems',
  line: 'Line',
  problem: 'Problem',
  text: 'What it says',
  more: (count: number) => `And ${count.toLocaleString('en-US')} more.`,
} as const;
