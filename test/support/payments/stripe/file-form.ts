import { Form } from './form.js';

const PART = /name="file"; filename="([^"]*)"\r\nContent-Type: ([^\r\n]+)\r\n\r\n/;

/** Of an upload: its name, its type and about its size. */
export function fileForm(content: Buffer, type: string): Form {
  const text = content.toString('latin1');
  const [whole = '', name = '', fileType = ''] = PART.exec(text) ?? [];
  const boundary = type.split('boundary=').at(-1) ?? '';
  const start = text.indexOf(whole) + whole.length;
  const size = text.indexOf(`\r\n--${boundary}`, start) - start;
  return Form.of(
    new URLSearchParams({ 'file[name]': name, 'file[type]': fileType, 'file[size]': String(size) }).toString(),
  );
}
