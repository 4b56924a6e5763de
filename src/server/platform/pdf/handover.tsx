import { Text, View } from '@react-pdf/renderer'
import { Frame, Outstanding, Rows, Sentences } from './frame.tsx'
import { inHelvetica } from './helvetica.ts'
import type { Handover } from './paper.ts'
import { Photos, Signatures } from './pictures.tsx'
import { styles } from './styles.ts'

/** The document a customer keeps of an installation. */
export const HandoverDocument = ({ paper }: { paper: Handover }) => (
  <Frame {...paper} title="Entrega de tu cargador" subtitle={`Instalado el ${paper.day}`}>
    {paper.warranty && <Outstanding label="Tu garantía vale hasta el" value={paper.warranty} />}
    <View style={styles.columns}>
      <Rows beside title="Cliente y lugar" rows={paper.people} />
      <Rows beside title="Cargador e instalación" rows={paper.charger} />
    </View>
    <Tests tests={paper.tests} />
    <Rows title="Lo que confirma tu técnico" rows={paper.walkthrough} />
    <Signatures signatures={paper.signatures} />
    <Photos photos={paper.photos} />
    <Sentences title="Si algo falla" lines={paper.faults} />
  </Frame>
)

const Tests = ({ tests }: Pick<Handover, 'tests'>) => (
  <View style={styles.section}>
    <Text style={styles.heading}>Pruebas</Text>
    {tests.map(({ label, limit, value }) => (
      <View key={label} style={styles.row} wrap={false}>
        <Text style={styles.test}>{inHelvetica(label)}</Text>
        <Text style={styles.measured}>{inHelvetica(value)}</Text>
        <Text style={styles.label}>{inHelvetica(limit ?? '')}</Text>
      </View>
    ))}
  </View>
)
