import { defineConfig } from '@playwright/test'
import { browserTests } from './playwright.shared.ts'

const phones = /\/(offline[\w-]*|dead-network|photos|report-answers|customer-phone)\.spec\.ts$/

/** What guards a release and needs a browser: `npm run test:slow`. Servers, phones and networks of their own take time. */
export default defineConfig({ ...browserTests('test-slow/browser', phones), timeout: 120_000 })
