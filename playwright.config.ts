import { defineConfig } from '@playwright/test'
import { browserTests } from './playwright.shared.ts'

/** One way that works and one refusal for the main screens of each role: `npm test`. */
export default defineConfig(browserTests('e2e', /\/(visitor|customer|technician)[\w-]*\.spec\.ts$/))
