import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/**
 * Where the open projects of a customer are asked for, and why none is picked there. Code that needs one of them asks
 * `openProjectOf` or `heldProject`, which refuse where there are several and none is named.
 */
const known: Record<string, string> = {
  'src/server/projects/open-project.ts': 'what refuses to pick; and all of them, by their places',
  'src/server/projects/merge.ts': 'all of both customers',
  'src/server/projects/overview.ts': 'all of each',
  'src/server/app/search.ts': 'the home of a hit that was looked for, to be read',
  'src/server/projects/office-work.ts': 'the only one, for what names none',
  'src/server/accounts/session.ts': 'the ids of all',
  'src/server/accounts/email-change.ts': 'all end',
  'src/server/accounts/deletion.ts': 'whether any is in the way',
  'src/server/agencies/join.ts': 'all are locked, and attributed',
  'src/server/agencies/redeem.ts': 'whether any has an accepted quote',
  'src/server/appointments/booking-request.ts': 'refuses to pick, as openProjectOf',
  'src/server/notifications/send.ts': 'all, to tell the homes apart',
  'src/server/users/invite.ts': 'whether there is any',
  'src/server/users/queries.ts': 'how many there are',
}

const ofCustomer = /\b(projects|p|later|other)\.customer(Id|_id)|\bproject\.customer_id/
const isOpen = /closed(At|_at)\}?\)?( is null|\))/

/** Whether some query asks for both, within a few lines. */
function asksForOpen(source: string): boolean {
  const lines = source.split('\n')
  return lines.some((line, at) => {
    return ofCustomer.test(line) && isOpen.test(lines.slice(Math.max(0, at - 4), at + 5).join('\n'))
  })
}

test('no query picks one of a customer’s open projects', () => {
  const found = readdirSync('src/server', { recursive: true, encoding: 'utf8' })
    .map((file) => `src/server/${file}`)
    .filter((file) => file.endsWith('.ts') && asksForOpen(readFileSync(file, 'utf8')))
  expect(found.toSorted()).toEqual(Object.keys(known).toSorted())
})
