import { data, type LoaderFunctionArgs, redirect } from 'react-router'
import type { Actor } from '../../access/rules/actor.ts'
import { guard } from '../../access/rules/routes.ts'
import { db, listsDb } from '../../app/context.ts'
import { clientsByStage } from '../../customers/clients.ts'
import { amountCell, type Columns, inOneChunk, tableFile } from '../../kit/export-file.ts'
import { requireActor } from '../../kit/require-actor.ts'
import { localDay, monthAndYear } from '../../shared/format.ts'
import { agencyFor, installationsByMonth } from '../agency-queries.ts'
import { commissionMonths } from '../commission-queries.ts'
import { inMonths, type MonthCount, readsAgencyWork } from '../rules/agency.ts'
import { type ClientStage, clientStageLabels, clientStages } from '../rules/clients.ts'
import { commissionStateFacts, commissionStates, seesCommissionSums } from '../rules/commissions.ts'
import { type AgencyFigureFile, agencyFigureFiles } from './agency-paths.ts'
import { earningsIn, type MonthEarnings, periodIn, type TabRequest } from './agency-server.ts'

/** The figures of a chart as a file, for users who see the chart. */
export async function loader({ context, url, params: { id = '' } }: LoaderFunctionArgs) {
  const viewer = requireActor(context)
  const elsewhere = guard(`/admin/agency/${id}`, viewer)
  if (elsewhere) throw redirect(elsewhere)
  const file = agencyFigureFiles.find((name) => url.pathname.toLowerCase().endsWith(`/${name}.csv`))
  const agency = await agencyFor(context.get(db), viewer, id)
  if (!file || !agency || !mayRead[file](viewer)) throw missing()
  const sources = { db: context.get(db), lists: await context.get(listsDb)() }
  return files[file]({ ...sources, actor: viewer, agency, url, now: new Date() })
}

const missing = () => data(null, { status: 404 })

const mayRead: Record<AgencyFigureFile, (viewer: Actor) => boolean> = {
  'clientes-por-etapa': readsAgencyWork,
  'instalaciones-por-mes': readsAgencyWork,
  'comisiones-por-mes': seesCommissionSums,
}

const files: Record<AgencyFigureFile, (asked: TabRequest) => Promise<Response>> = {
  async 'clientes-por-etapa'({ lists, actor: viewer, agency, url, now }) {
    const stages = await clientsByStage(lists, agency.id, now)
    const rows = clientStages.map((stage) => ({ stage, count: stages[stage] }))
    return tableFile({ url, viewer }, `clientes-por-etapa-${localDay(now)}`, stageColumns, inOneChunk(rows))
  },
  async 'instalaciones-por-mes'({ lists, actor: viewer, agency, url, now }) {
    const { months } = periodIn(url, now)
    const rows = inMonths(months, await installationsByMonth(lists, viewer, agency.id, months))
    return tableFile(
      { url, viewer },
      `instalaciones-por-mes-${localDay(now)}`,
      monthColumns,
      inOneChunk(rows),
    )
  },
  async 'comisiones-por-mes'({ db: database, actor: viewer, agency, url, now }) {
    const { months } = await commissionMonths(database, viewer, agency.id)
    const rows = earningsIn(periodIn(url, now).months, months)
    return tableFile({ url, viewer }, `comisiones-por-mes-${localDay(now)}`, earningColumns, inOneChunk(rows))
  },
}

const stageColumns: Columns<{ stage: ClientStage; count: number }> = {
  Etapa: ({ stage }) => clientStageLabels[stage],
  Clientes: ({ count }) => count,
}
const monthColumns: Columns<MonthCount> = {
  Mes: ({ month }) => monthAndYear(`${month}-01`),
  Instalaciones: ({ count }) => count,
}
const earningColumns: Columns<MonthEarnings> = {
  Mes: ({ month }) => monthAndYear(`${month}-01`),
  ...Object.fromEntries(
    commissionStates.map((state) => [
      `${commissionStateFacts[state].label}s`,
      (row: MonthEarnings) => amountCell(row[state]),
    ]),
  ),
  Total: ({ total }) => amountCell(total),
}
