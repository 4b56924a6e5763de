import { Bookmark } from 'lucide-react'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Link } from '../../ui/link.tsx'
import { mostViews, type SavedList, viewPath, viewQuery, viewsPath } from '../../users/rules/saved-view.ts'
import type { SavedView } from '../../users/saved-views.ts'
import { Field } from '../form/field.tsx'
import { Form, Submit } from '../form/form.tsx'

type SavedViewsProps = {
  list: SavedList
  /** The viewer's own. */
  saved: readonly SavedView[]
  /** Those of the address. */
  filters: Readonly<Record<string, string | undefined>>
}

const chip =
  'flex min-h-11 max-w-full items-center gap-1.5 rounded-full border px-4 text-[0.9375rem] font-medium no-underline'

/** The viewer's own views of a list, each one tap, and the form that keeps its filters as another. Nothing while there is neither. */
export function SavedViews({ list, saved, filters }: SavedViewsProps) {
  const query = viewQuery(filters)
  const offersSaving = query !== '' && !saved.some((view) => view.query === query)
  if (saved.length === 0 && !offersSaving) return null
  return (
    <nav aria-label="Tus vistas" className="flex flex-wrap items-center gap-2">
      {saved.map((view) => (
        <Link
          key={view.id}
          to={viewPath(view)}
          prefetch="intent"
          aria-current={view.query === query ? 'true' : undefined}
          className={classNames(
            chip,
            view.query === query
              ? 'border-brand bg-brand-soft text-brand'
              : 'border-line bg-card text-ink hover:bg-hover',
          )}
        >
          <Bookmark aria-hidden className="size-4 shrink-0" />
          <span className="truncate">{view.name}</span>
        </Link>
      ))}
      {offersSaving && saved.length < mostViews && (
        <Dialog
          key={query}
          trigger={
            <>
              <Bookmark aria-hidden className="size-5" />
              Guardar vista
            </>
          }
          variant="ghost"
          title="Guardar vista"
          description="Guarda estos filtros y su orden con un nombre. Solo tú la ves. Con un nombre que ya tienes, la reemplazas."
        >
          <Form action={viewsPath} intent="save-view" target={{ list, query }}>
            <Field label="Nombre" name="name" maxLength={40} autoComplete="off" enterKeyHint="done" />
            <Submit>Guardar</Submit>
          </Form>
        </Dialog>
      )}
      {saved.length > 0 && (
        <Link
          to={`${viewsPath}?lista=${list}`}
          className="flex min-h-11 items-center px-2 text-[0.9375rem] underline"
        >
          Editar vistas
        </Link>
      )}
    </nav>
  )
}
