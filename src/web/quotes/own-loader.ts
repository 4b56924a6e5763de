import type { RouterContextProvider } from 'react-router'
import { isOpenQuote } from '../../domain/quotes/quote.ts'
import { hasAccepted, ownCode } from '../../server/agencies/own-code.ts'
import { db, modules } from '../../server/app/context.ts'
import { overviewOf } from '../../server/projects/overview.ts'
import { mayCancelQuote, type OwnQuote, ownQuotes } from '../../server/quotes/own.ts'
import { noteViewed } from '../../server/quotes/view.ts'
import { load } from '../lib/load.ts'
import { someone } from '../lib/someone.ts'
import { firstTouch } from '../projects/first-touch.ts'

type Context = Readonly<RouterContextProvider>

export type OwnQuotesPage = Awaited<ReturnType<typeof loadOwnQuotes>>
/** The installation's quote as its customer's page shows it. */
export type OwnStory = NonNullable<OwnQuotesPage['installation']>

/** What a customer's page of quotes shows. That its customer opened the document is noted; nothing that only fetches ahead counts. */
export const loadOwnQuotes = (context: Context, request: Request) =>
  load(async () => {
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    const { line, next, projectId, stage } = await overviewOf(database, actor, now, context.get(modules))
    const none = { installation: null, extraWork: [] }
    const own = projectId ? await ownQuotes(database, actor, projectId, now) : none
    const shown = [...(own.installation ? [own.installation.current] : []), ...own.extraWork]
    const unseen = shown.filter(({ isUnseen }) => isUnseen).map(({ id }) => id)
    const isLooking = isDocumentLoad(request)
    if (isLooking) for (const id of unseen) await noteViewed(database, actor, id, now)
    const code = await ownCode(database, actor.id)
    const isTooLate = code !== null || (await hasAccepted(database, actor.id))
    return {
      ...own,
      ...{ code, touch: isTooLate ? null : await firstTouch(request) },
      ...{ line, next, now, stage },
      mayCancel: own.installation
        ? await mayCancelQuote(database, actor, own.installation.current.id, now)
        : false,
      unseen: isLooking ? [] : unseen,
      changesIn: soonest(shown, now),
    }
  })

/** A page that somebody opens: not its data, and nothing that a browser fetches before anybody asked. */
const isDocumentLoad = ({ headers, method, url }: Request) =>
  method === 'GET' &&
  !new URL(url).pathname.endsWith('.data') &&
  !/prefetch|preview/i.test(`${headers.get('sec-purpose')} ${headers.get('purpose')}`)

/** Milliseconds until the first of them can be answered no more; null where none can. */
function soonest(shown: readonly OwnQuote[], now: Date) {
  const ends = shown.filter(({ state }) => isOpenQuote(state)).map(({ validUntil }) => +validUntil - +now)
  return ends.length > 0 ? Math.min(...ends) + 1000 : null
}
