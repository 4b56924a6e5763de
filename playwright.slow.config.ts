import { defineConfig } from '@playwright/test'
import { browserTests } from './playwright.shared.ts'

/** What guards a release and needs a browser: `npx playwright test -c playwright.slow.config.ts`, after a build. */
export default defineConfig(
  browserTests(
    'test-slow/browser',
    /\/(offline|dead-network|photos|report-answers|customer-phone)\.spec\.ts$/,
  ),
)
