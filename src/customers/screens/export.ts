import { data, type LoaderFunctionArgs, redirect } from 'react-router'
import { type Actor, exportsLists } from '../../access/rules/actor.ts'
import { guard } from '../../access/rules/routes.ts'
import { turnLabels } from '../../agencies/rules/clients.ts'
import { type Columns, chosenIn, columnsFor, figureFile, tableFile } from '../../kit/list/export-file.ts'
import { readList } from '../../kit/list/filters.ts'
import { assertModule, type LoaderContext, requestOf, signedIn } from '../../kit/request.ts'
import { figuresPath, pipelinePath } from '../../projects/rules/pipeline.ts'
import { stageLabels } from '../../projects/rules/stages.ts'
import { formatPhone, localDay } from '../../shared/format.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { officeFigures } from '../figures.ts'
import { exportProjects, type ListedProject } from '../queries.ts'
import { figuresIn } from './figure-charts.tsx'
import { figurePeriodIn } from './figure-columns.ts'
import { projectList } from './project-list.tsx'

/** The list under the filters of its address for the office, or one table of the figures for their readers. */
export async function loader({ context, url, params }: LoaderFunctionArgs) {
  const viewer = whoAsks(context, params.file === undefined)
  const now = new Date()
  const lists = await requestOf(context).lists()
  if (params.file === undefined) {
    if (!exportsLists(viewer)) throw missing()
    const { after: _, ...asked } = readList(projectList, url, now).asked
    const rows = await exportProjects(lists, viewer, asked, now, chosenIn(url))
    return tableFile(
      { url, viewer },
      `clientes-${localDay(now)}`,
      columnsFor(viewer, columns, ['Correo']),
      rows,
    )
  }
  const figures = await officeFigures(lists, viewer, figurePeriodIn(url, now), now)
  const figure = figures && figuresIn(figures).find(({ file }) => `${file}.csv` === params.file)
  if (!figure) throw missing()
  return figureFile(figure, { url, viewer }, now)
}

const missing = () => data(null, { status: 404 })

function whoAsks(context: LoaderContext, isList: boolean): Actor {
  const { actor, modules } = signedIn(context)
  const elsewhere = guard(isList ? pipelinePath : figuresPath, actor, modules)
  if (elsewhere) throw redirect(elsewhere)
  if (isList) assertModule(context, 'clients')
  return actor
}

const columns: Columns<ListedProject> = {
  Cliente: ({ customer }) => customer,
  Teléfono: ({ phone }) => phone && formatPhone(phone),
  Correo: ({ email }) => email,
  Etapa: ({ stage }) => stageLabels[stage],
  'Le toca a': ({ waitingOn }) => turnLabels[waitingOn],
  Desde: ({ since }) => since,
  Zona: ({ municipality }) => municipality && municipalityLabel(municipality),
  'Domicilio (de varios)': ({ home }) => home,
  Concesionaria: ({ agency }) => agency,
  'Cliente desde': ({ createdAt }) => createdAt,
}
