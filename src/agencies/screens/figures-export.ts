import { data, type LoaderFunctionArgs, redirect } from 'react-router'
import { guard } from '../../access/rules/routes.ts'
import { figureFile } from '../../kit/list/export-file.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { readsAgencyWork } from '../rules/agency.ts'
import { loadFigures, openAgency } from './agency-server.ts'
import { figuresOfAgency } from './figure-cards.tsx'

/** The figures of a chart as a file, for users who see the chart; of months, the first one first. */
export const loader = ({ context, url, params: { id = '' } }: LoaderFunctionArgs) =>
  refusalsAsResponses(async () => {
    const { actor } = signedIn(context)
    const elsewhere = guard(`/admin/agency/${id}`, actor)
    if (elsewhere) throw redirect(elsewhere)
    const opened = await openAgency({ context, params: { id } })
    if (!readsAgencyWork(actor)) throw missing()
    const figures = await loadFigures({ ...opened, url })
    const figure = figuresOfAgency({ agencyId: id, figures, kind: actor.kind }).find(({ file }) =>
      url.pathname.toLowerCase().endsWith(`/${file}.csv`),
    )
    if (!figure) throw missing()
    const plain = figure.file === 'clientes-por-etapa' ? figure.plain : figure.plain.toReversed()
    return figureFile({ ...figure, plain }, { url, viewer: actor }, opened.now)
  })

const missing = () => data(null, { status: 404 })
