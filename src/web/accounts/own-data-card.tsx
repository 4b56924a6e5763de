import { buttonClass, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Holdings, type OwnData } from './holdings.tsx'

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
      {data && <Holdings data={data} />}
    </Card>
  )
}
