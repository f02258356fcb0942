import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

export type Image = Readonly<{
  /** What is `/` in a container. */
  root: string;
  workdir: string;
  env: Readonly<Record<string, string>>;
  /** The commands of CMD and HEALTHCHECK. */
  command: readonly string[];
  healthcheck: readonly string[];
}>;

type Stage = { -readonly [Field in keyof Image]: Image[Field] };

/** Does what a RUN line does instead of it: true if it did. */
export type Stand = (command: string, workdir: string) => boolean;

/**
 * Carries out the steps of a Dockerfile without a container: each stage is a folder below `place`, and absolute paths of a RUN line lead
 * into it. It knows the instructions that ours uses, and no base images: node is that of this machine. Owners are left out.
 * @returns the last stage
 */
export async function buildImage(dockerfile: string, context: string, place: string, stand: Stand): Promise<Image> {
  const stages = new Map<string, Stage>();
  let stage = newStage(place, 0);
  for (const [instruction, rest] of instructionsOf(dockerfile)) {
    if (instruction === 'FROM') {
      stage = newStage(place, stages.size);
      stages.set(/ AS (\w+)$/i.exec(rest)?.[1] ?? '', stage);
    } else if (instruction === 'WORKDIR') {
      stage.workdir = rest;
      mkdirSync(join(stage.root, rest), { recursive: true });
    } else if (instruction === 'ENV') {
      stage.env = { ...stage.env, ...Object.fromEntries(rest.split(' ').map((pair) => pair.split('=', 2))) };
    } else if (instruction === 'COPY') {
      const [, from, names = ''] = /^(?:--from=(\w+) )?(.+)$/.exec(rest) ?? [];
      copy(from === undefined ? context : rootOf(stages, from), names.split(' '), join(stage.root, stage.workdir));
    } else if (instruction === 'RUN') {
      await run(rest, stage, stand);
    } else if (instruction === 'CMD') {
      stage.command = JSON.parse(rest) as string[];
    } else if (instruction === 'HEALTHCHECK') {
      stage.healthcheck = JSON.parse(rest.slice(rest.indexOf('['))) as string[];
    } else if (!['USER', 'EXPOSE', 'ARG'].includes(instruction)) {
      throw new Error(`${instruction} is not known here.`);
    }
  }
  return stage;
}

/** Where a path of the image is on this machine. */
export function inImage({ root }: Pick<Image, 'root'>, text: string): string {
  return text.replaceAll(/(?<=^|\s)\/(?=\w)/g, `${root}/`);
}

function newStage(place: string, number: number): Stage {
  const root = join(place, `stage-${number}`);
  // The base image has it.
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
  return { root, workdir: '/', env: {}, command: [], healthcheck: [] };
}

/** Name and rest of each instruction, with continued lines in one. */
function instructionsOf(dockerfile: string): [string, string][] {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => [line.split(' ', 1)[0] ?? '', line.replace(/^\w+\s+/, '')]);
}

function rootOf(stages: ReadonlyMap<string, Stage>, name: string): string {
  const found = stages.get(name);
  if (!found) throw new Error(`There is no stage ${name}.`);
  return found.root;
}

/** The content of a folder, or files into a folder. Links, because nothing writes to them later, and there are some ten thousand. */
function copy(from: string, names: readonly string[], workdir: string): void {
  const to = names.at(-1) ?? '';
  for (const name of names.slice(0, -1)) {
    const source = join(from, name);
    const isInto = to.endsWith('/') && !statSync(source).isDirectory();
    const target = join(workdir, isInto ? join(to, basename(name)) : to);
    mkdirSync(dirname(target), { recursive: true });
    execFileSync('cp', ['-alT', source, target]);
  }
}

async function run(command: string, { root, workdir, env }: Stage, stand: Stand): Promise<void> {
  const directory = join(root, workdir);
  if (stand(command, directory)) return;
  // Only root can, and the account is the base image's.
  const withoutOwners = inImage({ root }, command.replaceAll(/ && chown [^&]*/g, ''));
  const environment = { PATH: process.env.PATH, HOME: process.env.HOME, ...env };
  await promisify(execFile)('sh', ['-c', withoutOwners], { cwd: directory, env: environment });
}
