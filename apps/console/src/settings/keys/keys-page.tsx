import { PageHead } from '../../frame/page-head.js';
import { keyWords } from './key-words.js';
import { DiscoveryKeys } from './discovery-keys.js';
import { StreamTokens } from './stream-tokens.js';

export function KeysPage() {
  return (
    <div className="page">
      <PageHead title={keyWords.title} hint={keyWords.hint} />
      <DiscoveryKeys />
      <StreamTokens />
    </div>
  );
}
