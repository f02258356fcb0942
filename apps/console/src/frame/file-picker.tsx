import { Button, FileButton } from '@mantine/core';

type Props = Readonly<{
  file: Readonly<{ name: string }> | null | undefined;
  accept: string;
  words: Readonly<{ choose: string; other: string }>;
  isPending: boolean;
  onChoose: (file: File | null) => void;
}>;

/** Chooses one file and shows its name. */
export function FilePicker({ file, accept, words, isPending, onChoose }: Props) {
  return (
    <div className="row">
      <FileButton onChange={onChoose} accept={accept}>
        {(props) => (
          <Button variant="default" loading={isPending} {...props}>
            {file ? words.other : words.choose}
          </Button>
        )}
      </FileButton>
      {file && <span className="mono">{file.name}</span>}
    </div>
  );
}
