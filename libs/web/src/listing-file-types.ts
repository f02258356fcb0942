/** The media types of files of listings. JSON lines have no registered one; Excel and browsers call CSV by others than its own. */
export const LISTING_FILE_TYPES: Readonly<Record<string, 'csv' | 'tsv' | 'jsonl'>> = {
  'text/csv': 'csv',
  'application/csv': 'csv',
  'text/x-csv': 'csv',
  'text/comma-separated-values': 'csv',
  'application/vnd.ms-excel': 'csv',
  'text/tab-separated-values': 'tsv',
  'text/plain': 'tsv',
  'application/x-ndjson': 'jsonl',
  'application/ndjson': 'jsonl',
  'application/jsonl': 'jsonl',
  'application/x-jsonlines': 'jsonl',
  'application/json-lines': 'jsonl',
};
