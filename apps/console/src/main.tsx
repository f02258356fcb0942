// Before everything else: its requests run while the scripts below are evaluated.
import './first-answers.js';
import './styles/mantine.css';
import './styles/tokens.css';
import './styles/page.css';
import './frame/frame.css';
import './orders/orders.css';
import './orders/views.css';
import './order/order.css';
import './order/first-screen.css';
import './order/order-print.css';
import './order/edit/order-edit.css';
import './order/refund.css';
import './order/ticket-files/ticket-files.css';
import './order/delivery/seats.css';
import './frame/palette.css';
import './styles/tables.css';
import './styles/progress.css';
import './listings/listings.css';
import './settings/settings.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.js';
import { router } from './router.js';
import { theme } from './theme.js';

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      {/* Its style elements are off: the Content-Security-Policy takes only our own files. */}
      <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
