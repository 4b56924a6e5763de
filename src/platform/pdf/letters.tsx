import { Canvas, Image, Page, Text, View } from '@react-pdf/renderer'
import { Fragment } from 'react'
import sharp from 'sharp'
import { Bound, FactRows, PageNumber, PaperSheet, printable, Sentences, styles } from './frame.tsx'
import type { BoundPages, BoundPicture, LetterBatch, LetterPaper } from './paper.ts'
import { as, showing } from './tagged.ts'

/** One letter. */
export const LetterDocument = ({ paper }: { paper: LetterPaper }) => (
  <Bound {...paper}>
    <Letter paper={paper} />
  </Bound>
)

/** Letters that are printed at once, behind the list of what each case hands in. */
export const LettersDocument = ({ paper }: { paper: LetterBatch }) => (
  <Bound {...paper}>
    <PaperSheet {...paper}>
      {paper.apart && <Text style={styles.section}>{printable(paper.apart)}</Text>}
      {paper.cases.map(({ note, papers, title }) => (
        <View key={title} wrap={false}>
          <FactRows title={`${title}. ${note}`} rows={papers} />
        </View>
      ))}
    </PaperSheet>
    {paper.bound.map(({ letters, papers }) => (
      <Fragment key={letters[0]?.folio}>
        {letters.map((letter) => (
          <Letter key={letter.title} paper={letter} />
        ))}
        {papers.map((one) =>
          'copied' in one ? (
            <Sheets key={one.label} {...one} />
          ) : (
            <Photo key={one.label} brand={paper.brand} {...one} />
          ),
        )}
      </Fragment>
    ))}
  </Bound>
)

const Photo = ({ brand, bytes, folio, label }: BoundPicture & { brand: string }) => (
  <PaperSheet brand={brand} folio={folio} title={label} subtitle="">
    <View style={styles.whole}>
      <Image
        {...as('Figure', label)}
        src={{ data: Buffer.from(bytes), format: 'jpg' }}
        style={styles.image}
      />
    </View>
  </PaperSheet>
)

/** The pages of a paper, as large as a sheet with a line below leaves them. */
const Sheets = ({ copied, folio, label }: BoundPages) =>
  copied.pages.map(({ form, height, width }, nth) => {
    const [wide, high] = width > height ? [792, 612] : [612, 792]
    const of = copied.pages.length
    const words = of === 1 ? label : `${label}, hoja ${nth + 1} de ${of}`
    return (
      <Page
        key={form}
        size="LETTER"
        orientation={wide > high ? 'landscape' : 'portrait'}
        style={styles.sheet}
      >
        <Text {...as(nth === 0 ? 'H1' : 'Span')} style={[styles.foot, { top: high - 30 }]}>
          {printable(`${folio}: ${words}`)}
        </Text>
        <Canvas
          {...showing(copied, nth, words)}
          paint={() => null}
          style={{ width: wide, height: high - 40 }}
        />
        <PageNumber top={high - 30} />
      </Page>
    )
  })

/** A letter to be signed by hand. */
const Letter = ({ paper }: { paper: LetterPaper }) => (
  <PaperSheet {...paper}>
    <View style={styles.section}>
      {paper.addressee.map((line) => (
        <Text key={line}>{printable(line)}</Text>
      ))}
    </View>
    <View style={styles.section}>
      {paper.paragraphs.map((text) => (
        <Text key={text} style={styles.paragraph}>
          {printable(text)}
        </Text>
      ))}
    </View>
    {paper.facts.length > 0 && <FactRows title={paper.factsTitle} rows={paper.facts} />}
    {paper.enclosed.length > 0 && <Sentences title="Se acompaña" lines={paper.enclosed} />}
    <LetterSignatures signatures={paper.signatures} />
  </PaperSheet>
)

/** Two in a row, each a blank line above the signer's name. */
const LetterSignatures = ({ signatures }: Pick<LetterPaper, 'signatures'>) => {
  const rows = signatures.filter((_, at) => at % 2 === 0).map((first, at) => [first, signatures[2 * at + 1]])
  return rows.map((pair) => (
    <View key={pair[0]!.as} style={styles.columns} wrap={false}>
      {pair.map((one, at) => (
        <View key={one?.as ?? at} style={styles.signature}>
          {one && (
            <>
              <View style={styles.signed} />
              {one.name === null ? (
                <Text style={styles.toFill}>Nombre: ______________________________</Text>
              ) : (
                <Text style={styles.caption}>{printable(one.name)}</Text>
              )}
              <Text style={styles.small}>{printable(one.as)}</Text>
            </>
          )}
        </View>
      ))}
    </View>
  ))
}

/** The same letters with the bound pictures as large as a printer shows them. */
export async function withPrints(paper: LetterBatch): Promise<LetterBatch> {
  const bound = []
  // One after the other: decoded, a picture takes some 50 MB.
  for (const { letters, papers } of paper.bound) {
    const prints: (BoundPicture | BoundPages)[] = []
    for (const one of papers) prints.push('copied' in one ? one : { ...one, bytes: await printOf(one.bytes) })
    bound.push({ letters, papers: prints })
  }
  return { ...paper, bound }
}

const printOf = (bytes: Uint8Array) =>
  sharp(bytes)
    .rotate()
    .resize(1600, 1600, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .jpeg({ quality: 80 })
    .toBuffer()
