import { spawn } from 'node:child_process';
import { pipeline, Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { domainError } from '#domain/domain-error';
import { StorageError } from '#platform/object-store';
import type { SpooledFile } from './spooled-file.js';

/** No secret of ours, and nothing that changes what the scanner does. */
const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

/** Gives each upload to the program of SCAN_COMMAND, on its standard input. The exit codes are those of ClamAV and most others. */
@Injectable()
export class FileScanner {
  /** Reading the file included. */
  protected readonly withinMs: number = 60_000;

  constructor(private readonly settings: Settings) {}

  /** @throws DomainError if the program refuses the file (1), StorageError if it says neither that nor that the file is clean (0) */
  async scan(file: Pick<SpooledFile, 'content'>): Promise<void> {
    const words = (this.settings.SCAN_COMMAND ?? '').matchAll(/"([^"]+)"|(\S+)/g);
    const [program, ...args] = Array.from(words, ([, quoted, bare = '']) => quoted ?? bare);
    if (program === undefined) return;
    const outcome = await this.outcomeOf(program, args, file);
    if (outcome === 1) throw domainError('FILE_REFUSED', 'a file is refused by the scanner');
    if (outcome !== 0) throw new StorageError(`the scanner of SCAN_COMMAND failed: ${outcome}`);
  }

  /** The exit code, or what happened instead. */
  private outcomeOf(
    program: string,
    args: readonly string[],
    file: Pick<SpooledFile, 'content'>,
  ): Promise<number | string> {
    return new Promise((resolve) => {
      // Without a shell: an argument is what it says.
      const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'], env: ENVIRONMENT, detached: true });
      const end = (outcome: number | string) => {
        clearTimeout(timer);
        // With what it has started, and also if it has ended itself.
        if (child.pid !== undefined) killGroup(child.pid);
        resolve(outcome);
      };
      const timer = setTimeout(() => end(`nothing within ${this.withinMs / 1_000} s`), this.withinMs);
      let fault: string | undefined;
      child.once('error', ({ message }) => end(message));
      child.once('exit', (code, signal) => end(fault ?? code ?? `${signal}`));
      pipeline(Readable.from(file.content()), child.stdin, (error) => {
        // Whoever has seen enough reads no further (EPIPE). A file that cannot be read must not count as clean.
        if (error instanceof StorageError) fault = error.message;
        if (fault !== undefined && child.pid !== undefined) killGroup(child.pid);
      });
    });
  }
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}
