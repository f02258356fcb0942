import { type ReactNode, useEffect, useState } from 'react';

type Props = Readonly<{ name: string; text: string; type?: string; children: ReactNode }>;

/** A link that saves a text of this page as a file. */
export function DownloadLink({ name, text, type = 'text/csv', children }: Props) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [text, type]);
  return (
    <a className="in-text" href={address} download={name}>
      {children}
    </a>
  );
}
