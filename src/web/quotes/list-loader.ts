import type { RouterContextProvider } from 'react-router'
import { listedStates } from '../../domain/quotes/quote.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { readsOfQuotes } from '../../server/quotes/changes.ts'
import { listToQuote, quoteFigures, quoteMakers } from '../../server/quotes/figures.ts'
import { listPlain, listPriced } from '../../server/quotes/list.ts'
import { agencyNames } from '../../server/users/queries.ts'
import { pageLinks } from '../lib/lists.tsx'
import { requireActor } from '../lib/require-actor.ts'
import { quoteFiltersOf } from './list-query.ts'

type Asked = { context: Readonly<RouterContextProvider>; url: URL }

/** A page of the list under the filters of its address: with amounts and figures for the office, for everybody else without either. */
export async function loadQuotes({ context, url }: Asked) {
  const [database, actor] = [context.get(db), requireActor(context)]
  const reading = readsOfQuotes[actor.kind ?? refuse('not-found')]
  const { after, filters } = quoteFiltersOf(url, reading)
  const pages = (next: string | null) => pageLinks(filters, after, next)
  const common = {
    filters,
    isManager: actor.kind === 'manager',
    findsPeople: reading !== 'state',
    states: listedStates(reading),
    now: new Date(),
  }
  if (reading !== 'all') {
    const { next, ...page } = await listPlain(database, actor, filters, after)
    return { ...common, ...pages(next), plain: page, priced: null }
  }
  const [{ next, ...page }, figures, toQuote, makers, agencies] = await Promise.all([
    listPriced(database, actor, filters, after),
    quoteFigures(database, actor, filters, common.now),
    listToQuote(database, actor),
    quoteMakers(database, actor),
    agencyNames(database, actor),
  ])
  return {
    ...common,
    ...pages(next),
    plain: null,
    priced: { ...page, figures, toQuote, makers, agencies: agencies.map(({ id, name }) => ({ id, name })) },
  }
}
