import { Search as SearchIcon } from 'lucide-react'
import { Form as SearchForm } from 'react-router'
import { Field } from '../../kit/form/field.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card, EmptyState } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import type { Route } from './+types/search.ts'
import { searchedFor } from './search-hits.ts'
import { type Hit, HitLine, hitKinds } from './search-line.tsx'
import { searchPath } from './search-path.ts'

export const handle = { announcesUpdates: true }

export const loader = ({ context, url }: Route.LoaderArgs) => searchedFor(context, url)

/** The search of the whole office as a page: for whoever has no JavaScript, and for more than the palette shows. */
export default function SearchPage({ loaderData: { groups, q } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Búsqueda"
        subtitle={q ? `Resultados de «${q}»` : 'Lo que puedes hacer, y todo lo demás'}
      />
      <Card>
        <SearchForm method="get" action={searchPath} role="search" className="flex items-end gap-3">
          <Field
            key={q}
            label="¿Qué buscas?"
            name="q"
            type="search"
            optional="unsaid"
            enterKeyHint="search"
            placeholder="Nombre, teléfono, folio, domicilio o acción"
            maxLength={100}
            defaultValue={q}
            autoFocus={q === ''}
            className="min-w-0 flex-1"
          />
          <Button type="submit" variant="ghost">
            <SearchIcon aria-hidden className="size-5" />
            <span className="max-sm:sr-only">Buscar</span>
          </Button>
        </SearchForm>
      </Card>
      {groups.length === 0 && (
        <EmptyState icon={SearchIcon}>
          No encontramos nada con «{q}». Prueba con un folio, un teléfono, parte del nombre o la calle.
        </EmptyState>
      )}
      {groups.map(({ hits, kind }) => (
        <Card key={kind} title={hitKinds[kind].label} className="gap-2">
          <ul className="-mx-2 grid">
            {hits.map((hit) => (
              <Line key={hit.id} hit={hit} />
            ))}
          </ul>
        </Card>
      ))}
    </>
  )
}

function Line({ hit }: { hit: Hit }) {
  return (
    <li className="flex flex-wrap items-center gap-2 sm:flex-nowrap">
      <Link
        to={hit.to}
        prefetch="intent"
        className="flex min-h-12 min-w-0 flex-1 items-center gap-3 rounded-control p-2 hover:bg-hover max-sm:basis-full"
      >
        <HitLine hit={hit} />
      </Link>
      {hit.book && (
        <LinkButton
          variant="ghost"
          to={hit.book}
          aria-label={`Agendar para ${hit.title}`}
          className="max-sm:ml-14"
        >
          Agendar
        </LinkButton>
      )}
    </li>
  )
}
