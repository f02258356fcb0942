import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';

// Large enough that the statements cost little, small enough for the memory.
const PART_BYTES = 1024 * 1024;

/**
 * The files of jobs, in parts. They are in the database, because any worker writes them and any api hands them out. `attempt` keeps two
 * workers apart of which one has lost its lease: only the parts of the last attempt count.
 */
@Injectable()
export class JobFiles {
  constructor(private readonly pool: Pool) {}

  /** Returns the number of bytes. Holds one part in memory. */
  async write(jobId: string, attempt: number, pieces: AsyncIterable<Uint8Array>): Promise<number> {
    let waiting: Uint8Array[] = [];
    let [bytes, total, number] = [0, 0, 0];
    const flush = async () => {
      if (bytes === 0) return;
      number += 1;
      await this.pool.query({
        name: 'write-job-part',
        text: WRITE,
        values: [jobId, attempt, number, Buffer.concat(waiting)],
      });
      [waiting, bytes] = [[], 0];
    };
    for await (const piece of pieces) {
      waiting.push(piece);
      bytes += piece.length;
      total += piece.length;
      if (bytes >= PART_BYTES) await flush();
    }
    await flush();
    return total;
  }

  async *read(jobId: string, attempt: number): AsyncGenerator<Buffer> {
    for (let number = 1; ; number += 1) {
      const { rows } = await this.pool.query<{ content: Buffer }>(READ, [jobId, attempt, number]);
      if (!rows[0]) return;
      yield rows[0].content;
    }
  }

  /** @param before removes only the parts of earlier attempts */
  async remove(jobId: string, before = 2 ** 31 - 1): Promise<void> {
    await this.pool.query('delete from job_file_parts where job_id = $1 and attempt < $2', [jobId, before]);
  }
}

const WRITE = 'insert into job_file_parts (job_id, attempt, number, content) values ($1, $2, $3, $4)';
const READ = 'select content from job_file_parts where job_id = $1 and attempt = $2 and number = $3';
