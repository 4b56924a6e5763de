import { dateTime } from '../format.ts'
import { buttonClass, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'

type Value = string | boolean | Date | null
type OwnData = readonly { heading: string; holdings: readonly Record<string, Value>[] }[]

/** What we hold about somebody: to read here, or to take away as a file. */
export function OwnDataCard({ data }: { data: OwnData | null }) {
  return (
    <Card id="mis-datos" title="Mis datos">
      <p>Puedes ver todo lo que guardamos de ti, y llevártelo en un archivo.</p>
      <div className="flex flex-wrap gap-3 max-sm:*:flex-1">
        {!data && (
          <LinkButton to="/?cuenta&datos#mis-datos" variant="ghost" prefetch="none">
            Ver mis datos
          </LinkButton>
        )}
        <a className={buttonClass('ghost')} href="/account/data" download>
          Descargar (JSON)
        </a>
        <a className={buttonClass('ghost')} href="/account/data.zip" download>
          Descargar con fotos y documentos (ZIP)
        </a>
      </div>
      {data?.map(({ heading, holdings }) => (
        <section key={heading} aria-label={heading} className="grid gap-3 border-t border-line pt-4">
          <h3 className="font-semibold">{heading}</h3>
          {holdings.length === 0 && <p className="text-[0.9375rem] text-mute">Nada.</p>}
          {holdings.map((holding) => (
            <DefinitionList
              key={JSON.stringify(holding)}
              className="text-[0.9375rem] not-first-of-type:border-t not-first-of-type:border-line not-first-of-type:pt-3"
              items={Object.entries(holding).map(([term, value]) => ({ term, value: inWords(value) }))}
            />
          ))}
        </section>
      ))}
    </Card>
  )
}

function inWords(value: Value): string | null {
  if (value instanceof Date) return dateTime(value)
  if (typeof value === 'boolean') return value ? 'Sí' : 'No'
  return value
}
