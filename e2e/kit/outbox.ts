import path from 'node:path'
import { expect } from '@playwright/test'
import { newestEmails } from '../../src/notifications/transport.ts'

/** The path of the link in somebody's newest e-mail of that subject, as soon as it has arrived. */
export async function linkTo(email: string, subject: string): Promise<string> {
  const folder = path.join(process.env.E2E_DATA_DIR ?? '', 'outbox')
  let link: string | undefined
  await expect(async () => {
    const letter = (await newestEmails(folder)).find((one) => one.to === email && one.subject === subject)
    link = /https?:\/\/[^/\s]+(\/\S+)/.exec(letter?.text ?? '')?.[1]
    expect(link).toBeTruthy()
  }).toPass({ timeout: 20_000 })
  return link!
}
