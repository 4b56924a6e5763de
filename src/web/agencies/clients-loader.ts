import { randomUUID } from 'node:crypto'
import type { RouterContextProvider } from 'react-router'
import { refuse } from '../../domain/shared/refusal.ts'
import { codesToGive } from '../../server/agencies/counter.ts'
import { clientFor } from '../../server/agencies/detail.ts'
import { listClients } from '../../server/agencies/list.ts'
import { clientOptions } from '../../server/agencies/options.ts'
import { db, site } from '../../server/app/context.ts'
import { pageLinks, readFilters } from '../lib/lists.tsx'
import { someone } from '../lib/someone.ts'
import { clientFilters } from './list-query.ts'

type Asked = { context: Readonly<RouterContextProvider>; url: URL }

/** What an ally's address asks for: the list of their agency's clients, one of them, or the form that registers somebody. */
export async function loadClients({ context, url }: Asked) {
  const [database, actor, now] = [context.get(db), someone(context), new Date()]
  const agencyId = actor.agencyId ?? refuse('not-found')
  const id = url.searchParams.get('cliente')
  if (id !== null) {
    const client = (await clientFor(database, actor, id, now)) ?? refuse('not-found')
    return { list: null, form: null, client, now }
  }
  if (url.searchParams.has('registrar')) {
    const codes = await codesToGive(database, actor, now)
    const form = { codes, requestKey: randomUUID(), privacyUrl: context.get(site).privacyUrl }
    return { list: null, form, client: null, now }
  }
  const { after, filters } = readFilters(clientFilters, url)
  const [{ next, ...page }, options] = await Promise.all([
    listClients(database, actor, agencyId, { ...filters, ...(after && { after }) }, now),
    clientOptions(database, actor, agencyId),
  ])
  const list = {
    ...{ ...page, filters, options, now },
    ...pageLinks(filters, after, next),
  }
  return { list, form: null, client: null, now }
}
