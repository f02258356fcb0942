import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Writes `addresses.json`: the addresses of all routes, at which the api answers with the page. `src/router.spec.tsx` compares them. */
function addresses(): Plugin {
  const found = new Set<string>();
  return {
    name: 'addresses',
    transform: {
      filter: { id: { exclude: /node_modules/ }, code: 'createRoute(' },
      handler(code) {
        for (const [, path = ''] of code.matchAll(/\bpath: ["']([^"']+)["']/g)) found.add(path);
      },
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'addresses.json', source: JSON.stringify([...found].sort()) });
    },
  };
}

export default defineConfig({
  plugins: [react(), addresses()],
  // Relative: the api writes the path of PUBLIC_URL before them.
  base: './',
  resolve: { conditions: ['source', 'browser', 'module', 'import'] },
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    target: 'es2023',
    // The strict Content-Security-Policy of the api allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The pages' own styles are 8 kB in all. As files of their own they could fail, and are never asked for again.
    cssCodeSplit: false,
    chunkSizeWarningLimit: 800,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  // `npx vite apps/console` for work on the pages; the api runs beside it.
  server: { proxy: { '/backoffice': 'http://127.0.0.1:3000', '/stream': 'http://127.0.0.1:3000' } },
});
