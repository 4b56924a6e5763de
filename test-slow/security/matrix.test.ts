import { everyModule } from '../../test/kit/fixture.ts'
import { db, openBare, realClockAfterEach, runSql } from '../../test/kit/open.ts'
import { every, hear, refusals } from '../../test/security/attempts.ts'
import { everyone, openEveryoneOnce } from '../../test/security/everyone.ts'
import { fingerprint } from '../../test/security/fingerprint.ts'

openBare(everyModule)
openEveryoneOnce()
realClockAfterEach()
// The whole table is more than a person sends in a minute.
beforeEach(() => runSql`delete from limits`)

describe('an action is refused to everyone who may not, as a page and as data', () => {
  test.each(every)('$file: $name', async ({ action }) => {
    const attempt = await action.attempt(everyone)
    const refused = refusals(action)
    const before = await fingerprint(db)
    const heard = []
    for (const [who] of refused)
      heard.push([who, await hear(attempt, everyone[who]), await hear(attempt, everyone[who], true)])
    expect(heard).toEqual(refused.map(([who, expected]) => [who, expected, expected]))
    expect(await fingerprint(db)).toEqual(before)
  })
})
