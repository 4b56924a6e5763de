import { Bookmark } from 'lucide-react'
import { redirectWithToast } from '../../kit/flash.ts'
import { Field } from '../../kit/form/field.tsx'
import { Form, OrphanedFormError, Submit, useFormResult } from '../../kit/form/form.tsx'
import { oneOf, readFilters } from '../../kit/list/filters.ts'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { Card, EmptyState } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import {
  type SavedList,
  savedListNames,
  savedLists,
  viewLimits,
  viewPath,
  viewsPath,
} from '../rules/saved-view.ts'
import { savedViewInput } from '../rules/schema.ts'
import { removeView, renameView, type SavedView, saveView, viewsOf } from '../saved-views.ts'
import type { Route } from './+types/views.ts'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

const asked = (url: URL) => readFilters({ lista: oneOf(savedListNames) }, url).filters.lista

/** All views of the viewer; `from` is the list they came from. */
export const loader = async ({ context, url }: Route.LoaderArgs) => {
  const { db, actor } = signedIn(context)
  return {
    views: await viewsOf(db, actor),
    from: asked(url) ?? null,
  }
}

export const action = forms(({ context, url }: Route.ActionArgs) => {
  const { db, actor, modules } = signedIn(context)
  const here = url.pathname + url.search
  return {
    'save-view': form(savedViewInput['save-view'], async (input) => {
      await saveView(db, actor, input, modules)
      return redirectWithToast(
        viewPath(input),
        'Guardaste la vista',
        `«${input.name}» ya está arriba de la lista.`,
      )
    }),
    'rename-view': form(savedViewInput['rename-view'], async (input) => {
      await renameView(db, actor, input)
      return redirectWithToast(here, 'Cambiaste el nombre', `Ahora se llama «${input.name}».`)
    }),
    'remove-view': form(savedViewInput['remove-view'], async ({ viewId }) => {
      await removeView(db, actor, viewId)
      return redirectWithToast(here, 'Quitaste la vista', 'La lista y sus filtros siguen igual.')
    }),
  }
})

export default function Views({ loaderData: { from, views } }: Route.ComponentProps) {
  const back = from
    ? { to: savedLists[from].path, label: savedLists[from].label }
    : { to: '/admin', label: 'Inicio' }
  return (
    <>
      <PageHeader title="Tus vistas" subtitle="Los filtros que guardaste. Solo tú las ves." back={back} />
      <Unsaved />
      <OrphanedFormError />
      {views.length === 0 && (
        <EmptyState icon={Bookmark}>
          Todavía no guardas ninguna. Filtra una lista y presiona «Guardar vista».
        </EmptyState>
      )}
      {savedListNames.map((list) => (
        <ViewsOfList key={list} list={list} views={views.filter((view) => view.list === list)} />
      ))}
    </>
  )
}

/** The form of a list that came back: the list is another screen. */
function Unsaved() {
  const { list, query } = useFormResult('save-view')?.values ?? {}
  if (!list || !query || !Object.hasOwn(savedLists, list)) return null
  return (
    <Card title={`Guardar vista de ${savedLists[list as SavedList].label}`}>
      <Form action={viewsPath} intent="save-view" target={{ list, query }} className="max-w-md">
        <Field label="Nombre" name="name" maxLength={viewLimits.name} autoComplete="off" />
        <Submit className="justify-self-start">Guardar</Submit>
      </Form>
    </Card>
  )
}

const ViewsOfList = ({ list, views }: { list: SavedList; views: readonly SavedView[] }) =>
  views.length > 0 && (
    <Card title={savedLists[list].label}>
      <ul className="grid divide-y divide-line">
        {views.map((view) => (
          <ViewItem key={view.id} view={view} />
        ))}
      </ul>
    </Card>
  )

function ViewItem({ view }: { view: SavedView }) {
  const target = { viewId: view.id }
  return (
    <li className="grid gap-3 py-4 first:pt-0 last:pb-0 lg:grid-cols-[1fr_auto_auto] lg:items-end">
      <Form intent="rename-view" target={target} className="gap-3 sm:grid-cols-[1fr_auto] sm:items-end">
        <Field
          label="Nombre"
          name="name"
          maxLength={viewLimits.name}
          autoComplete="off"
          defaultValue={view.name}
        />
        <Submit variant="ghost">
          Cambiar nombre<span className="sr-only"> de {view.name}</span>
        </Submit>
      </Form>
      <Form intent="remove-view" target={target}>
        <Submit variant="ghost">
          Quitar<span className="sr-only"> {view.name}</span>
        </Submit>
      </Form>
      <Link to={viewPath(view)} className="flex min-h-11 items-center justify-center px-2 underline">
        Abrir<span className="sr-only"> {view.name}</span>
      </Link>
    </li>
  )
}
