import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
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
