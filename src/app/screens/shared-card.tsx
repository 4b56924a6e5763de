import type { HelpQuestion } from './questions.tsx'

type SharedCardProps = {
  title: string
  description: string
  brand: string
  /** The page's one address, without a query: however it is reached, it is one page to a search engine. */
  address: string
  /** What the page says in the form that search engines read. */
  facts: readonly Record<string, unknown>[]
}

/** What search engines and messengers show of a public page. React moves it to the head, the facts excepted. */
export function SharedCard({ title, description, brand, address, facts }: SharedCardProps) {
  const picture = new URL('/icons/card.jpg', address).href
  return (
    <>
      <meta name="description" content={description} />
      <link rel="canonical" href={address} />
      <meta property="og:type" content="website" />
      <meta property="og:locale" content="es_MX" />
      <meta property="og:site_name" content={brand} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
      <meta property="og:image" content={picture} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content="Un cargador instalado en la pared, con un auto conectado" />
      <meta name="twitter:card" content="summary_large_image" />
      {facts.length > 0 && (
        <script
          type="application/ld+json"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON of our own, with its angle brackets escaped.
          dangerouslySetInnerHTML={{
            __html: JSON.stringify({ '@context': 'https://schema.org', '@graph': facts }).replaceAll(
              '<',
              '\\u003c',
            ),
          }}
        />
      )}
    </>
  )
}

/** The questions of a page as search engines read them. */
export const questionFacts = (list: readonly HelpQuestion[]) => ({
  '@type': 'FAQPage',
  mainEntity: list.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })),
})
