import { data, type LoaderFunctionArgs, redirect } from 'react-router'
import { type Actor, hasName, type StaffKind } from '../../domain/access/actor.ts'
import { guard, type Module } from '../../domain/access/routes.ts'
import { localDay } from '../../domain/shared/format.ts'
import { actor, db, enabledModules } from '../../server/app/context.ts'
import type { Db } from '../../server/platform/database/client.ts'
import { csvFile } from './csv.ts'
import { assertModule } from './module.ts'

type CsvList<Row> = {
  /** Who has it as a file; for anybody else it does not exist. */
  kind: StaffKind
  module?: Module
  /** The name of the file, before its day. */
  name: (url: URL) => string
  columns: Record<string, (row: Row) => string | null>
  /** All rows under the filters of the address, chunk by chunk. */
  rows: (asked: { db: Db; viewer: Actor; now: Date; url: URL }) => Chunks<Row> | Promise<Chunks<Row>>
}
type Chunks<Row> = AsyncIterator<readonly Row[]>

/** The loader of a list as a file, at the list's address with ".csv". It stands outside every layout, so it is its own guard. */
export const exportCsv =
  <Row>({ columns, kind, module, name, rows }: CsvList<Row>) =>
  async ({ context, url }: LoaderFunctionArgs): Promise<Response> => {
    const [viewer, now] = [context.get(actor), new Date()]
    const path = url.pathname.replace(/\.csv$/, '')
    const elsewhere = viewer && hasName(viewer) ? null : guard(path, viewer, context.get(enabledModules))
    if (elsewhere) throw redirect(elsewhere)
    if (module) assertModule(context, module)
    if (viewer?.kind !== kind) throw data(null, { status: 404 })
    return csvFile(
      `${name(url)}-${localDay(now)}.csv`,
      columns,
      await rows({ db: context.get(db), viewer, now, url }),
    )
  }
