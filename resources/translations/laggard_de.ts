<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Damage</name>
    <message>
        <source>Some of the trace could not be read: %1</source>
        <translation>Ein Teil der Spur konnte nicht gelesen werden: %1</translation>
    </message>
    <message>
        <source>the trace</source>
        <translation>der Trace</translation>
    </message>
    <message>
        <source>Some of %1 could not be read: %2 losses are listed in the warnings.</source>
        <translation>Teile von %1 konnten nicht gelesen werden: %2 Verluste stehen bei den Warnungen.</translation>
    </message>
</context>
<context>
    <name>Exports</name>
    <message>
        <source>The graph has not been laid out yet.</source>
        <translation>Der Graph ist noch nicht angeordnet.</translation>
    </message>
    <message>
        <source>A model dump has no timeline.</source>
        <translation>Ein Modellabzug hat keine Zeitleiste.</translation>
    </message>
    <message>
        <source>There is no slice; its panel says why.</source>
        <translation>Es gibt keinen Slice; seine Tafel sagt, warum.</translation>
    </message>
</context>
<context>
    <name>FindingsModel</name>
    <message>
        <source>who waits for whom</source>
        <translation>wer auf wen wartet</translation>
    </message>
    <message>
        <source>made others wait</source>
        <translation>ließ andere warten</translation>
    </message>
    <message>
        <source>change of behaviour</source>
        <translation>geändertes Verhalten</translation>
    </message>
    <message>
        <source>unlike other ranks</source>
        <translation>anders als andere Ränge</translation>
    </message>
    <message>
        <source>stopped before others</source>
        <translation>hielt vor den anderen an</translation>
    </message>
    <message>
        <source>message came twice</source>
        <translation>Nachricht kam doppelt</translation>
    </message>
    <message>
        <source>misuse of MPI</source>
        <translation>falscher Gebrauch von MPI</translation>
    </message>
    <message>
        <source>crash</source>
        <translation>Absturz</translation>
    </message>
    <message>
        <source>stood still</source>
        <translation>stand still</translation>
    </message>
</context>
<context>
    <name>ProgressEdge</name>
    <message>
        <source>point-to-point</source>
        <translation>Punkt zu Punkt</translation>
    </message>
    <message>
        <source>loop</source>
        <translation>Schleife</translation>
    </message>
    <message>
        <source>collective</source>
        <translation>kollektiv</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>&quot;%1&quot; is not a time in seconds from the start of the trace</source>
        <translation>„%1“ ist keine Zeit in Sekunden vom Anfang der Spur an</translation>
    </message>
    <message>
        <source>Shows which task of a parallel job made the least progress, when, and in which code.</source>
        <translation>Zeigt, welcher Prozess eines parallelen Jobs am wenigsten fortgeschritten ist, wann und in welchem Code.</translation>
    </message>
    <message>
        <source>Anchor file of a trace, or the folder it lies in</source>
        <translation>Ankerdatei einer Spur, oder der Ordner, in dem sie liegt</translation>
    </message>
    <message>
        <source>Look at this moment, in seconds from the start (default: the end)</source>
        <translation>Diesen Augenblick ansehen, in Sekunden vom Anfang an (sonst: das Ende)</translation>
    </message>
    <message>
        <source>light, dark or system</source>
        <translation>light, dark oder system</translation>
    </message>
    <message>
        <source>Show another run of the same program below this one</source>
        <translation>Einen anderen Lauf desselben Programms unter diesem zeigen</translation>
    </message>
    <message>
        <source>Say what is not as in this model of the program&apos;s calls</source>
        <translation>Sagen, was nicht wie in diesem Modell der Aufrufe des Programms ist</translation>
    </message>
    <message>
        <source>Write a picture of the window when the trace is shown, and quit</source>
        <translation>Ein Bild des Fensters schreiben, sobald die Spur gezeigt ist, und enden</translation>
    </message>
    <message>
        <source>Size of the window in pixels, such as 1500x950</source>
        <translation>Größe des Fensters in Pixeln, etwa 1500x950</translation>
    </message>
    <message>
        <source>Show this stretch of time in the timeline, in seconds, such as 0.5-0.6</source>
        <translation>Diesen Zeitraum in der Zeitleiste zeigen, in Sekunden, etwa 0.5-0.6</translation>
    </message>
    <message>
        <source>Bring a panel to the front, such as suspects or profile; may be repeated</source>
        <translation>Eine Tafel nach vorn bringen, etwa suspects oder profile; mehrmals möglich</translation>
    </message>
    <message>
        <source>Compile the sources, slice, and show this step of the slice, from 1</source>
        <translation>Die Quellen übersetzen, slicen und diesen Schritt des Slice zeigen, von 1 an</translation>
    </message>
    <message>
        <source>one trace at a time</source>
        <translation>nur eine Spur auf einmal</translation>
    </message>
    <message>
        <source>--colours is light, dark or system, not &quot;%1&quot;</source>
        <translation>--colours ist light, dark oder system, nicht „%1“</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a size such as 1500x950</source>
        <translation>„%1“ ist keine Größe wie 1500x950</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a stretch of time such as 0.5-0.6</source>
        <translation>„%1“ ist kein Zeitraum wie 0.5-0.6</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a step of a slice, such as 1</source>
        <translation>„%1“ ist kein Schritt eines Slice, etwa 1</translation>
    </message>
    <message>
        <source>there is no panel &quot;%1&quot;; there are %2</source>
        <translation>es gibt keine Tafel „%1“; es gibt %2</translation>
    </message>
    <message>
        <source>cannot write &quot;%1&quot;</source>
        <translation>„%1“ kann nicht geschrieben werden</translation>
    </message>
    <message>
        <source>there is no display for a window; &quot;laggard-analyze TRACE&quot; gives the answer as text</source>
        <translation>es gibt keinen Bildschirm für ein Fenster; „laggard-analyze SPUR“ gibt die Antwort als Text</translation>
    </message>
    <message>
        <source>it is not JSON (%1)</source>
        <translation>es ist kein JSON (%1)</translation>
    </message>
    <message>
        <source>it is not a session of Laggard (its schema is not &quot;%1&quot;)</source>
        <translation>es ist keine Sitzung von Laggard (ihr Schema ist nicht „%1“)</translation>
    </message>
    <message>
        <source>it was changed after it was saved, and may say something else now</source>
        <translation>sie wurde nach dem Speichern geändert und sagt vielleicht etwas anderes</translation>
    </message>
    <message>
        <source>The session cannot be written to &quot;%1&quot;: %2.</source>
        <translation>Die Sitzung kann nicht nach „%1“ geschrieben werden: %2.</translation>
    </message>
    <message>
        <source>The session &quot;%1&quot; cannot be read: %2.</source>
        <translation>Die Sitzung „%1“ kann nicht gelesen werden: %2.</translation>
    </message>
    <message>
        <source>it is not a file</source>
        <translation>es ist keine Datei</translation>
    </message>
    <message>
        <source>it is too large for a session</source>
        <translation>für eine Sitzung ist es zu groß</translation>
    </message>
    <message>
        <source>The session &quot;%1&quot; is opened, but %2.</source>
        <translation>Die Sitzung „%1“ ist geöffnet, aber %2.</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>, read in part</source>
        <translation>, teilweise gelesen</translation>
    </message>
    <message>
        <source>Some of what was recorded could not be read; this chart is about the rest.</source>
        <translation>Ein Teil der Aufzeichnung konnte nicht gelesen werden; das Diagramm zeigt den Rest.</translation>
    </message>
    <message>
        <source>Who is always last: %1s</source>
        <translation>Wer immer der Letzte ist: %1s</translation>
    </message>
    <message>
        <source>share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Nobody waited for who came last.</source>
        <translation>Niemand wartete auf den Letzten.</translation>
    </message>
    <message>
        <source>came last</source>
        <translation>kam zuletzt</translation>
    </message>
    <message>
        <source>by chance</source>
        <translation>zufällig</translation>
    </message>
    <message>
        <source>of the waiting</source>
        <translation>des Wartens</translation>
    </message>
    <message>
        <source>last in %1 of %2</source>
        <translation>zuletzt bei %1 von %2</translation>
    </message>
    <message>
        <source>the others waited %1</source>
        <translation>die anderen warteten %1</translation>
    </message>
    <message>
        <source>more often than chance has it: it recurs</source>
        <translation>öfter als der Zufall will: es kehrt wieder</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>machine</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>without a name</source>
        <translation>ohne Namen</translation>
    </message>
    <message>
        <source>%1 of reference %2</source>
        <translation>%1 der Referenz %2</translation>
    </message>
    <message>
        <source>which call paths are called</source>
        <translation>welche Aufrufpfade vorkommen</translation>
    </message>
    <message>
        <source>which functions are called</source>
        <translation>welche Funktionen vorkommen</translation>
    </message>
    <message>
        <source>time by call path</source>
        <translation>Zeit nach Aufrufpfad</translation>
    </message>
    <message>
        <source>time by function</source>
        <translation>Zeit nach Funktion</translation>
    </message>
    <message>
        <source>with MPI time</source>
        <translation>mit der Zeit in MPI</translation>
    </message>
    <message>
        <source>without MPI time</source>
        <translation>ohne die Zeit in MPI</translation>
    </message>
    <message>
        <source>called from %1</source>
        <translation>gerufen von %1</translation>
    </message>
    <message>
        <source>Fewer than two ranks can be compared.</source>
        <translation>Weniger als zwei Ränge sind zu vergleichen.</translation>
    </message>
    <message>
        <source>No time is known of %1.</source>
        <translation>Von %1 ist keine Zeit bekannt.</translation>
    </message>
    <message>
        <source>Without MPI time there is hardly any of %1.</source>
        <translation>Ohne die Zeit in MPI bleibt von %1 kaum etwas.</translation>
    </message>
    <message>
        <source>Suspect scores of ranks, %1</source>
        <translation>Verdacht gegen Ränge, %1</translation>
    </message>
    <message>
        <source>suspect score</source>
        <translation>Verdacht</translation>
    </message>
    <message>
        <source>Distance to neighbour %1 of %2; compared: %3.</source>
        <translation>Abstand zum Nachbarn %1 von %2; verglichen: %3.</translation>
    </message>
    <message>
        <source>Hardly any computing, so not ranked: %1.</source>
        <translation>Rechnet kaum, daher nicht gereiht: %1.</translation>
    </message>
    <message>
        <source>Not compared with %1: a model dump has no events.</source>
        <translation>Nicht verglichen mit %1: ein Modellabzug hat keine Ereignisse.</translation>
    </message>
    <message>
        <source>against each other</source>
        <translation>untereinander</translation>
    </message>
    <message>
        <source>against references too</source>
        <translation>auch mit Referenzen</translation>
    </message>
    <message>
        <source>%1 than %2 in %3</source>
        <translation>%1 als %2 in %3</translation>
    </message>
    <message>
        <source>more</source>
        <translation>mehr</translation>
    </message>
    <message>
        <source>less</source>
        <translation>weniger</translation>
    </message>
    <message>
        <source>threshold %1</source>
        <translation>Schwelle %1</translation>
    </message>
    <message>
        <source>What sets rank %1 apart, %2</source>
        <translation>Was Rang %1 unterscheidet, %2</translation>
    </message>
    <message>
        <source>call path</source>
        <translation>Aufrufpfad</translation>
    </message>
    <message>
        <source>function</source>
        <translation>Funktion</translation>
    </message>
    <message>
        <source>Rank %1 does not differ from %2.</source>
        <translation>Rang %1 unterscheidet sich nicht von %2.</translation>
    </message>
    <message>
        <source>called more than by %1</source>
        <translation>öfter gerufen als von %1</translation>
    </message>
    <message>
        <source>more of its time than %1</source>
        <translation>mehr seiner Zeit als %1</translation>
    </message>
    <message>
        <source>Suspect score %1, place %2 of %3. Bars to the left: less than %4.</source>
        <translation>Verdacht %1, Platz %2 von %3. Balken nach links: weniger als %4.</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>%1 % of the time of rank %2, %3 % of that of %4</source>
        <translation>%1 % der Zeit von Rang %2, %3 % der von %4</translation>
    </message>
    <message>
        <source>Profile of %1, %2</source>
        <translation>Profil von %1, %2</translation>
    </message>
    <message>
        <source>called (1) or not (0)</source>
        <translation>gerufen (1) oder nicht (0)</translation>
    </message>
    <message>
        <source>of its time</source>
        <translation>seiner Zeit</translation>
    </message>
    <message>
        <source>%1, on average</source>
        <translation>%1, im Mittel</translation>
    </message>
    <message>
        <source>Last record of each rank</source>
        <translation>Letzter Eintrag jedes Rangs</translation>
    </message>
    <message>
        <source>last record, from the start</source>
        <translation>letzter Eintrag, vom Anfang an</translation>
    </message>
    <message>
        <source>last record</source>
        <translation>letzter Eintrag</translation>
    </message>
    <message>
        <source>stopped %1 before the others
last in %2</source>
        <translation>hielt %1 vor den anderen an
zuletzt in %2</translation>
    </message>
    <message>
        <source>largest gap: %1</source>
        <translation>größte Lücke: %1</translation>
    </message>
    <message>
        <source>needed gap: %1</source>
        <translation>nötige Lücke: %1</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>Geschrieben: %1</translation>
    </message>
    <message>
        <source>Export the picture</source>
        <translation>Das Bild exportieren</translation>
    </message>
    <message>
        <source>has %1 of the verdict</source>
        <translation>enthält %1 des Urteils</translation>
    </message>
    <message>
        <source>unusual</source>
        <translation>ungewöhnlich</translation>
    </message>
    <message>
        <source>Unusual: %1, in cluster %2</source>
        <translation>Ungewöhnlich: %1, in Cluster %2</translation>
    </message>
    <message>
        <source>Unusual: cluster %1</source>
        <translation>Ungewöhnlich: Cluster %1</translation>
    </message>
    <message>
        <source>cluster %1</source>
        <translation>Cluster %1</translation>
    </message>
    <message>
        <source> (%1 models)</source>
        <translation> (%1 Modelle)</translation>
    </message>
    <message>
        <source>difference of models (Diff, no unit)</source>
        <translation>Unterschied der Modelle (Diff, ohne Einheit)</translation>
    </message>
    <message>
        <source>threshold %1: %2</source>
        <translation>Schwelle %1: %2</translation>
    </message>
    <message>
        <source> (trained)</source>
        <translation> (gelernt)</translation>
    </message>
    <message>
        <source>Which ranks behave alike in %1</source>
        <translation>Welche Ränge sich gleichen in %1</translation>
    </message>
    <message>
        <source>Dotted: between groups of ranks that visit other states; a threshold never joins them. Not to scale.</source>
        <translation>Gepunktet: zwischen Gruppen von Rängen mit anderen Zuständen; keine Schwelle verbindet sie. Nicht maßstäblich.</translation>
    </message>
    <message>
        <source>%1; those that join first are folded into %2.</source>
        <translation>%1; die sich zuerst verbinden, sind in %2 gefaltet.</translation>
    </message>
    <message>
        <source>time in the state before it (%1)%2</source>
        <translation>Zeit im Zustand davor (%1)%2</translation>
    </message>
    <message>
        <source>, logarithmic</source>
        <translation>, logarithmisch</translation>
    </message>
    <message>
        <source>%1 ± %2</source>
        <translation>%1 ± %2</translation>
    </message>
    <message>
        <source>seen</source>
        <translation>gesehen</translation>
    </message>
    <message>
        <source>Gaussian of the model</source>
        <translation>Gauß des Modells</translation>
    </message>
    <message>
        <source>not returned: at least so long</source>
        <translation>nicht zurückgekehrt: mindestens so lang</translation>
    </message>
    <message>
        <source>abnormal</source>
        <translation>abnorm</translation>
    </message>
    <message>
        <source>No rank takes this transition in %1.</source>
        <translation>Kein Rang nimmt diesen Übergang in %1.</translation>
    </message>
    <message>
        <source>How long the state before it lasted in %1, by cluster.</source>
        <translation>Wie lange der Zustand davor dauerte in %1, nach Clustern.</translation>
    </message>
    <message>
        <source>%1 further clusters take it, too.</source>
        <translation>%1 weitere Cluster nehmen ihn auch.</translation>
    </message>
    <message>
        <source>%1 sample runs, each against the others</source>
        <translation>%1 Probeläufe, jeder gegen die anderen</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>
%1 per rank on average</source>
        <translation>
%1 je Rang im Mittel</translation>
    </message>
    <message>
        <source>, %1 in the sample runs</source>
        <translation>, %1 in den Probeläufen</translation>
    </message>
    <message>
        <source>verdict: from %1 on</source>
        <translation>Urteil: von %1 an</translation>
    </message>
    <message>
        <source>verdict: %1</source>
        <translation>Urteil: %1</translation>
    </message>
    <message>
        <source>highest score: %1</source>
        <translation>höchster Wert: %1</translation>
    </message>
    <message>
        <source>Red is where a change begins that stays; a phase that is an exception by itself can have a higher score.</source>
        <translation>Rot ist, wo eine Änderung beginnt, die bleibt; eine Phase, die für sich eine Ausnahme ist, kann einen höheren Wert haben.</translation>
    </message>
    <message>
        <source>Red is the phase of the verdict. It goes by the time that ranks spend computing, not by the highest score.</source>
        <translation>Rot ist die Phase des Urteils. Es geht nach der Zeit, in der Ränge rechnen, nicht nach dem höchsten Wert.</translation>
    </message>
    <message>
        <source>Models, against sample runs</source>
        <translation>Modelle, gegen Probeläufe</translation>
    </message>
    <message>
        <source>Models, against other phases</source>
        <translation>Modelle, gegen andere Phasen</translation>
    </message>
    <message>
        <source>Models, against the phase before</source>
        <translation>Modelle, gegen die Phase davor</translation>
    </message>
    <message>
        <source>Computation, against sample runs</source>
        <translation>Rechnen, gegen Probeläufe</translation>
    </message>
    <message>
        <source>Computation, against other phases</source>
        <translation>Rechnen, gegen andere Phasen</translation>
    </message>
    <message>
        <source>Clusters, against sample runs</source>
        <translation>Cluster, gegen Probeläufe</translation>
    </message>
    <message>
        <source>Clusters, against other phases</source>
        <translation>Cluster, gegen andere Phasen</translation>
    </message>
    <message>
        <source>Clusters, against the phase before</source>
        <translation>Cluster, gegen die Phase davor</translation>
    </message>
    <message>
        <source>How unlike its counterparts each phase is: %1</source>
        <translation>Wie sehr jede Phase abweicht: %1</translation>
    </message>
    <message>
        <source>phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>phase (%1)</source>
        <translation>Phase (%1)</translation>
    </message>
    <message>
        <source>pairs of ranks grouped differently</source>
        <translation>anders gruppierte Paare von Rängen</translation>
    </message>
    <message>
        <source>deviation score</source>
        <translation>Abweichung</translation>
    </message>
    <message>
        <source>No phase was compared in this way.</source>
        <translation>So wurde keine Phase verglichen.</translation>
    </message>
    <message>
        <source>The run stopped before its first phase: what comes before that is compared.</source>
        <translation>Der Lauf endete vor seiner ersten Phase: verglichen wird, was davor kommt.</translation>
    </message>
    <message>
        <source>The run is one phase: there is nothing to compare it with but sample runs.</source>
        <translation>Der Lauf ist eine einzige Phase: er ist nur mit Probeläufen zu vergleichen.</translation>
    </message>
    <message>
        <source>score</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>phase %1</source>
        <translation>Phase %1</translation>
    </message>
    <message>
        <source>start</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>not returned</source>
        <translation>nicht zurückgekehrt</translation>
    </message>
    <message>
        <source>between MPI calls</source>
        <translation>zwischen MPI-Aufrufen</translation>
    </message>
    <message>
        <source>in </source>
        <translation>in </translation>
    </message>
    <message>
        <source>after </source>
        <translation>nach </translation>
    </message>
    <message>
        <source>, called at </source>
        <translation>, gerufen bei </translation>
    </message>
    <message>
        <source>%1: %2, %3, %4 ± %5</source>
        <translation>%1: %2, %3, %4 ± %5</translation>
    </message>
    <message>
        <source>Characteristic, place %1: it sets %2 apart most in %3 of the pairs</source>
        <translation>Kennzeichnend, Platz %1: er unterscheidet %2 am meisten in %3 der Paare</translation>
    </message>
    <message>
        <source>only cluster %1</source>
        <translation>nur Cluster %1</translation>
    </message>
    <message>
        <source>round corners: inside an MPI call</source>
        <translation>runde Ecken: in einem MPI-Aufruf</translation>
    </message>
    <message>
        <source>square corners: code between calls</source>
        <translation>spitze Ecken: Code zwischen Aufrufen</translation>
    </message>
    <message>
        <source>Semi-Markov model of %1</source>
        <translation>Semi-Markov-Modell von %1</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>%1 of %2 are drawn: those around %3.</source>
        <translation>%1 von %2 sind gezeichnet: die um %3.</translation>
    </message>
    <message>
        <source>the transition that took most time</source>
        <translation>den Übergang, der am meisten Zeit nahm</translation>
    </message>
    <message>
        <source>the characteristic transitions</source>
        <translation>die kennzeichnenden Übergänge</translation>
    </message>
    <message>
        <source>Only what cluster %1 does.</source>
        <translation>Nur was Cluster %1 tut.</translation>
    </message>
    <message>
        <source>Transitions with a probability of less than %1 are left out, unless they are characteristic.</source>
        <translation>Übergänge mit einer Wahrscheinlichkeit unter %1 fehlen, außer den kennzeichnenden.</translation>
    </message>
    <message>
        <source>No transition passes the filter.</source>
        <translation>Kein Übergang passt zum Filter.</translation>
    </message>
    <message>
        <source>Time by function, of all ranks</source>
        <translation>Zeit nach Funktion, aller Ränge</translation>
    </message>
    <message>
        <source>of all time</source>
        <translation>aller Zeit</translation>
    </message>
    <message>
        <source>No time of any function is known.</source>
        <translation>Von keiner Funktion ist eine Zeit bekannt.</translation>
    </message>
    <message>
        <source>the program&apos;s own</source>
        <translation>des Programms selbst</translation>
    </message>
    <message>
        <source>in MPI</source>
        <translation>in MPI</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>all others</source>
        <translation>alle anderen</translation>
    </message>
    <message>
        <source>Waiting by rank</source>
        <translation>Warten nach Rang</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>No rank waited for another one in a call that returned.</source>
        <translation>Kein Rang wartete auf einen anderen in einem Aufruf, der zurückkam.</translation>
    </message>
    <message>
        <source>Waiting takes %1 of the ranks&apos; time.</source>
        <translation>Warten nimmt %1 der Zeit der Ränge.</translation>
    </message>
    <message>
        <source>waited for others</source>
        <translation>wartete auf andere</translation>
    </message>
    <message>
        <source>sets %1 apart, and in what</source>
        <translation>unterscheidet %1, und worin</translation>
    </message>
    <message>
        <source>one cluster alone, which its label names</source>
        <translation>ein Cluster allein, den die Beschriftung nennt</translation>
    </message>
    <message>
        <source>several clusters, or no difference to tell</source>
        <translation>mehrere Cluster, oder kein nennenswerter Unterschied</translation>
    </message>
    <message>
        <source>what the ranks do</source>
        <translation>was die Ränge tun</translation>
    </message>
    <message>
        <source>and %1 smaller ones</source>
        <translation>und %1 kleinere</translation>
    </message>
    <message>
        <source>Clusters: %1.</source>
        <translation>Cluster: %1.</translation>
    </message>
    <message>
        <source>On the edges: the clusters that take a transition, and how probable it is once its state was entered; on bold ones the mean time in the state before it, or the probability, and that of the others.</source>
        <translation>An den Kanten: die Cluster, die einen Übergang nehmen, und wie wahrscheinlich er ist, sobald sein Zustand erreicht ist; an fetten die mittlere Zeit im Zustand davor, oder die Wahrscheinlichkeit, und die der anderen.</translation>
    </message>
    <message>
        <source>only %1, %2</source>
        <translation>nur %1, %2</translation>
    </message>
    <message>
        <source>%1, others %2</source>
        <translation>%1, andere %2</translation>
    </message>
    <message>
        <source>%1, others %2%3</source>
        <translation>%1, andere %2%3</translation>
    </message>
    <message>
        <source>phases</source>
        <translation>Phasen</translation>
    </message>
    <message>
        <source>hang, slow, behaviour or explore, in place of what the verdict chooses</source>
        <translation>hang, slow, behaviour oder explore, statt dessen, was das Urteil wählt</translation>
    </message>
    <message>
        <source>--layout is hang, slow, behaviour or explore, not &quot;%1&quot;</source>
        <translation>--layout ist hang, slow, behaviour oder explore, nicht „%1“</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>Dieser Lauf</translation>
    </message>
    <message>
        <source>The other</source>
        <translation>Der andere</translation>
    </message>
    <message>
        <source>%1: never</source>
        <translation>%1: nie</translation>
    </message>
    <message>
        <source>this run only</source>
        <translation>nur dieser Lauf</translation>
    </message>
    <message>
        <source>other run only</source>
        <translation>nur der andere Lauf</translation>
    </message>
    <message>
        <source>longer in this run</source>
        <translation>länger in diesem Lauf</translation>
    </message>
    <message>
        <source>longer in the other run</source>
        <translation>länger im anderen Lauf</translation>
    </message>
    <message>
        <source>no difference to tell</source>
        <translation>kein nennenswerter Unterschied</translation>
    </message>
    <message>
        <source>this run only, %1</source>
        <translation>nur dieser Lauf, %1</translation>
    </message>
    <message>
        <source>other run only, %1</source>
        <translation>nur der andere Lauf, %1</translation>
    </message>
    <message>
        <source>%1, other run %2</source>
        <translation>%1, anderer Lauf %2</translation>
    </message>
    <message>
        <source>Semi-Markov models of both runs</source>
        <translation>Semi-Markov-Modelle beider Läufe</translation>
    </message>
    <message>
        <source>%1 of %2 are drawn: those in which the runs differ most.</source>
        <translation>%1 von %2 sind gezeichnet: die, in denen sich die Läufe am meisten unterscheiden.</translation>
    </message>
    <message>
        <source>How unlike its counterparts each phase is</source>
        <translation>Wie sehr jede Phase abweicht</translation>
    </message>
    <message>
        <source>How slowly rank %1 computes in each phase</source>
        <translation>Wie langsam Rang %1 in jeder Phase rechnet</translation>
    </message>
    <message>
        <source>How long each phase takes</source>
        <translation>Wie lange jede Phase dauert</translation>
    </message>
    <message>
        <source>Computing of rank %1</source>
        <translation>Rechnen von Rang %1</translation>
    </message>
    <message>
        <source>Length of the phases</source>
        <translation>Dauer der Phasen</translation>
    </message>
    <message>
        <source>%1, then %2: parts of one state, without an MPI call between them</source>
        <translation>%1, dann %2: Teile eines Zustands, ohne einen MPI-Aufruf dazwischen</translation>
    </message>
    <message>
        <source>Show all times without the recorder&apos;s own</source>
        <translation>Alle Zeiten ohne die des Rekorders zeigen</translation>
    </message>
    <message>
        <source>times the usual</source>
        <translation>mal so lange</translation>
    </message>
    <message>
        <source>rank %1, %2</source>
        <translation>Rang %1, %2</translation>
    </message>
    <message>
        <source>Suspect scores of the units of rank %1</source>
        <translation>Verdachtswerte der Einheiten von Rang %1</translation>
    </message>
    <message>
        <source>Suspect scores of units</source>
        <translation>Verdachtswerte der Einheiten</translation>
    </message>
    <message>
        <source>unit, by its start (%1)</source>
        <translation>Einheit, nach ihrem Beginn (%1)</translation>
    </message>
    <message>
        <source>Shown are the %1 with the highest scores.</source>
        <translation>Gezeigt sind die mit den höchsten Werten: %1.</translation>
    </message>
    <message>
        <source>No unit differs from the model.</source>
        <translation>Keine Einheit weicht vom Modell ab.</translation>
    </message>
    <message>
        <source>event</source>
        <translation>Ereignis</translation>
    </message>
    <message>
        <source>beginning, end, turn or thread</source>
        <translation>Anfang, Ende, Umlauf oder Thread</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>not in the model</source>
        <translation>nicht im Modell</translation>
    </message>
    <message>
        <source>not called; else always</source>
        <translation>nicht aufgerufen; sonst immer</translation>
    </message>
    <message>
        <source>not called; else in %1</source>
        <translation>nicht aufgerufen; sonst in %1</translation>
    </message>
    <message>
        <source>else in %1</source>
        <translation>sonst in %1</translation>
    </message>
    <message>
        <source>called at %1</source>
        <translation>aufgerufen bei %1</translation>
    </message>
    <message>
        <source>adds %1 to the sum of which the score is the mean</source>
        <translation>trägt %1 zu der Summe bei, deren Mittel der Wert ist</translation>
    </message>
    <message>
        <source>called, as in the model</source>
        <translation>aufgerufen, wie im Modell</translation>
    </message>
    <message>
        <source>called, and not in the model</source>
        <translation>aufgerufen, und nicht im Modell</translation>
    </message>
    <message>
        <source>in the model, and not called</source>
        <translation>im Modell, und nicht aufgerufen</translation>
    </message>
    <message>
        <source>Calls of a unit of rank %1, %2 from the start</source>
        <translation>Aufrufe einer Einheit von Rang %1, %2 nach dem Anfang</translation>
    </message>
    <message>
        <source>The model has no units of this kind and connection: score 1.</source>
        <translation>Das Modell hat keine Einheiten dieser Art und Verbindung: Wert 1.</translation>
    </message>
    <message>
        <source>Suspect score %1; the model was made from %2 of this kind and connection.</source>
        <translation>Verdachtswert %1; das Modell wurde aus so vielen dieser Art und Verbindung gemacht: %2.</translation>
    </message>
    <message>
        <source>Not all of the unit is there: what it lacks counts for nothing, and is not shown.</source>
        <translation>Die Einheit ist nicht ganz da: Was ihr fehlt, zählt nicht und wird nicht gezeigt.</translation>
    </message>
    <message>
        <source>to %1</source>
        <translation>nach %1</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>von %1</translation>
    </message>
    <message>
        <source>%1 of %2 in sight; 0 shows all</source>
        <translation>%1 von %2 im Blick; 0 zeigt alle</translation>
    </message>
    <message>
        <source>events lost</source>
        <translation>Ereignisse verloren</translation>
    </message>
    <message>
        <source>Not shown: MPI_Init and MPI_Finalize, which take %1.</source>
        <translation>Nicht gezeigt: MPI_Init und MPI_Finalize, die %1 brauchen.</translation>
    </message>
    <message>
        <source>Waits that have not ended count up to the end.</source>
        <translation>Warten, das nicht endet, zählt bis zum Ende der Spur.</translation>
    </message>
    <message>
        <source>Events lost, so without values: %1.</source>
        <translation>Ereignisse verloren, daher ohne Werte: %1.</translation>
    </message>
    <message>
        <source>made others wait, in sum</source>
        <translation>ließ andere warten, in Summe</translation>
    </message>
    <message>
        <source>defined at %1</source>
        <translation>definiert bei %1</translation>
    </message>
    <message>
        <source>open head: inferred</source>
        <translation>offene Spitze: erschlossen</translation>
    </message>
    <message>
        <source>%: how sure the wait is</source>
        <translation>%: wie sicher das Warten ist</translation>
    </message>
    <message>
        <source>waits in a collective</source>
        <translation>wartet in einer Kollektive</translation>
    </message>
    <message>
        <source>waits for a message</source>
        <translation>wartet auf eine Nachricht</translation>
    </message>
    <message>
        <source>behind in a loop</source>
        <translation>in einer Schleife zurück</translation>
    </message>
    <message>
        <source>order undefined</source>
        <translation>Reihenfolge unbestimmt</translation>
    </message>
    <message>
        <source>
The score is how far its models are from those of its counterparts, in squares of how much a time usually varies: where that is next to nothing, scores are huge.</source>
        <translation>
Der Wert ist, wie weit ihre Modelle von denen ihrer Gegenstücke entfernt sind, in Quadraten dessen, wie sehr eine Zeit gewöhnlich schwankt: Wo das fast nichts ist, sind die Werte riesig.</translation>
    </message>
    <message>
        <source>
%1 times the median of all phases</source>
        <translation>
Das %1-Fache des Medians aller Phasen</translation>
    </message>
    <message>
        <source>What repeats may be among what could not be read.</source>
        <translation>Was sich wiederholt, ist vielleicht unter dem, was nicht gelesen werden konnte.</translation>
    </message>
    <message>
        <source>A call of %1 takes in itself: %2.</source>
        <translation>Ein Aufruf von %1 dauert für sich: %2.</translation>
    </message>
    <message>
        <source>a call: %1</source>
        <translation>ein Aufruf: %1</translation>
    </message>
    <message>
        <source>They do not set %1 apart from others of %2.</source>
        <translation>Sie heben %1 nicht von anderen in %2 ab.</translation>
    </message>
    <message>
        <source>None of the clusters is unusual.</source>
        <translation>Keiner der Cluster ist auffällig.</translation>
    </message>
</context>
<context>
    <name>SliceModel</name>
    <message>
        <source>Criterion</source>
        <translation>Kriterium</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Control</source>
        <translation>Bedingung</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
</context>
<context>
    <name>Verdict</name>
    <message>
        <source>Hung</source>
        <translation>Hängt</translation>
    </message>
    <message>
        <source>Crashed</source>
        <translation>Abgestürzt</translation>
    </message>
    <message>
        <source>Slow</source>
        <translation>Langsam</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>Nicht bekannt</translation>
    </message>
</context>
<context>
    <name>laggard</name>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>When the state before the transition was entered, from the start of the trace</source>
        <translation>Wann der Zustand vor dem Übergang erreicht wurde, vom Anfang der Spur an</translation>
    </message>
    <message>
        <source>Start (s)</source>
        <translation>Beginn (s)</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>How long the state before the transition lasted</source>
        <translation>Wie lange der Zustand vor dem Übergang dauerte</translation>
    </message>
    <message>
        <source>Length (s)</source>
        <translation>Dauer (s)</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>CT</source>
        <translation>CT</translation>
    </message>
    <message>
        <source>Transition</source>
        <translation>Übergang</translation>
    </message>
    <message>
        <source>From state to state</source>
        <translation>Von Zustand zu Zustand</translation>
    </message>
    <message>
        <source>Clusters</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Which clusters take it, and how probable it is there once its state was entered</source>
        <translation>Welche Cluster ihn nehmen, und wie wahrscheinlich er dort ist, sobald sein Zustand erreicht ist</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>How often it was taken in the phase</source>
        <translation>Wie oft er in der Phase vorkam</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Mean time in the state before it</source>
        <translation>Mittlere Zeit im Zustand davor</translation>
    </message>
    <message>
        <source>Mean (s)</source>
        <translation>Mittel (s)</translation>
    </message>
    <message>
        <source>Sum</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>All time in the state before it</source>
        <translation>Alle Zeit im Zustand davor</translation>
    </message>
    <message>
        <source>Sum (s)</source>
        <translation>Summe (s)</translation>
    </message>
    <message>
        <source>Characteristic transition: its place among those by which the unusual cluster differs most from the others</source>
        <translation>Kennzeichnender Übergang: sein Platz unter denen, in denen sich der auffällige Cluster am meisten von den anderen unterscheidet</translation>
    </message>
</context>
<context>
    <name>laggard::AnalysisJob</name>
    <message>
        <source>The reference &quot;%1&quot; would take %2 of memory, more than the preferences allow.</source>
        <translation>Die Referenz „%1“ bräuchte %2 Speicher, mehr als die Einstellungen erlauben.</translation>
    </message>
    <message>
        <source>There is not enough memory to compare the ranks.</source>
        <translation>Der Speicher reicht nicht, um die Ränge zu vergleichen.</translation>
    </message>
</context>
<context>
    <name>laggard::AnalysisStatus</name>
    <message>
        <source>How far the analyses are</source>
        <translation>Wie weit die Analysen sind</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel the analyses; Analysis → Run again starts them anew</source>
        <translation>Die Analysen abbrechen; Analyse → Noch einmal beginnt sie neu</translation>
    </message>
</context>
<context>
    <name>laggard::AttachDialog</name>
    <message>
        <source>Choose …</source>
        <translation>Wählen …</translation>
    </message>
    <message>
        <source>Pro&amp;gram:</source>
        <translation>Pro&amp;gramm:</translation>
    </message>
    <message>
        <source>Attach to a job</source>
        <translation>An einen Job anhängen</translation>
    </message>
    <message>
        <source>My only MPI job on this machine</source>
        <translation>Mein einziger MPI-Job auf diesem Rechner</translation>
    </message>
    <message>
        <source>The job of a launcher (mpiexec, srun)</source>
        <translation>Der Job eines Starters (mpiexec, srun)</translation>
    </message>
    <message>
        <source>Processes, in order of their ranks</source>
        <translation>Prozesse, in der Reihenfolge ihrer Ränge</translation>
    </message>
    <message>
        <source>Core files</source>
        <translation>Core-Dateien</translation>
    </message>
    <message>
        <source>A job of Slurm, on all its nodes</source>
        <translation>Ein Job von Slurm, auf allen seinen Knoten</translation>
    </message>
    <message>
        <source>The nodes of a list, by ssh</source>
        <translation>Die Knoten einer Liste, mit ssh</translation>
    </message>
    <message>
        <source>where the core files say</source>
        <translation>wo die Core-Dateien es sagen</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>&amp;Job:</source>
        <translation>&amp;Job:</translation>
    </message>
    <message>
        <source>&amp;Samples:</source>
        <translation>&amp;Proben:</translation>
    </message>
    <message>
        <source>&amp;Every:</source>
        <translation>&amp;Alle:</translation>
    </message>
    <message>
        <source>Each process stands still for some milliseconds in each sample, and goes on as it was.</source>
        <translation>Jeder Prozess steht in jeder Probe einige Millisekunden still und läuft dann weiter wie zuvor.</translation>
    </message>
    <message>
        <source>&amp;Attach</source>
        <translation>An&amp;hängen</translation>
    </message>
    <message>
        <source>&amp;Number:</source>
        <translation>&amp;Nummer:</translation>
    </message>
    <message>
        <source>&amp;Files:</source>
        <translation>&amp;Dateien:</translation>
    </message>
    <message>
        <source>&amp;Process:</source>
        <translation>P&amp;rozess:</translation>
    </message>
    <message>
        <source>Core files of the ranks</source>
        <translation>Core-Dateien der Ränge</translation>
    </message>
    <message>
        <source>A node on each line</source>
        <translation>Ein Knoten je Zeile</translation>
    </message>
</context>
<context>
    <name>laggard::AttachJob</name>
    <message>
        <source>There is not enough memory to look at the job.</source>
        <translation>Der Speicher reicht nicht, um den Job anzusehen.</translation>
    </message>
</context>
<context>
    <name>laggard::BothModelsView</name>
    <message>
        <source>State models of both runs</source>
        <translation>Zustandsmodelle beider Läufe</translation>
    </message>
    <message>
        <source>States of the ranks and how they follow each other in both runs; the list below says the same</source>
        <translation>Zustände der Ränge und wie sie in beiden Läufen aufeinander folgen; die Liste darunter sagt dasselbe</translation>
    </message>
    <message>
        <source>Neither run has made calls of MPI that could be compared.</source>
        <translation>Kein Lauf hat MPI-Aufrufe, die zu vergleichen wären.</translation>
    </message>
</context>
<context>
    <name>laggard::BothRunsPanel</name>
    <message>
        <source>Departures</source>
        <translation>Abweichungen</translation>
    </message>
    <message>
        <source>Functions of both runs</source>
        <translation>Funktionen beider Läufe</translation>
    </message>
    <message>
        <source>Both runs</source>
        <translation>Beide Läufe</translation>
    </message>
    <message>
        <source>Where the run departs first</source>
        <translation>Wo der Lauf zuerst abweicht</translation>
    </message>
    <message>
        <source>No rank does anything else than in the other run.</source>
        <translation>Kein Rang tut etwas anderes als im anderen Lauf.</translation>
    </message>
    <message>
        <source>Neither run has called a function.</source>
        <translation>Keiner der Läufe hat eine Funktion aufgerufen.</translation>
    </message>
    <message>
        <source>Functions</source>
        <translation>Funktionen</translation>
    </message>
    <message>
        <source>Transitions of both runs</source>
        <translation>Übergänge beider Läufe</translation>
    </message>
    <message>
        <source>State models</source>
        <translation>Zustandsmodelle</translation>
    </message>
    <message>
        <source>No transitions.</source>
        <translation>Keine Übergänge.</translation>
    </message>
</context>
<context>
    <name>laggard::CallPrefixModel</name>
    <message>
        <source>finished</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>not started yet</source>
        <translation>noch nicht begonnen</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>outside all recorded calls</source>
        <translation>außerhalb aller aufgezeichneten Aufrufe</translation>
    </message>
    <message>
        <source>, least progressed</source>
        <translation>, am wenigsten fortgeschritten</translation>
    </message>
    <message>
        <source>, least progressed: %1</source>
        <translation>, am weitesten zurück: %1</translation>
    </message>
    <message>
        <source>Innermost call of %1</source>
        <translation>Innerster Aufruf von %1</translation>
    </message>
    <message>
        <source>Least progressed: %1</source>
        <translation>Am weitesten zurück: %1</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>Open calls, from the outermost one; bold: least-progressed ranks are inside</source>
        <translation>Offene Aufrufe, vom äußersten an; fett: darin sind die am weitesten zurückliegenden Ränge</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Number of ranks inside the call</source>
        <translation>Zahl der Ränge in dem Aufruf</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ränge</translation>
    </message>
    <message>
        <source>Ranks inside the call</source>
        <translation>Ränge in dem Aufruf</translation>
    </message>
    <message>
        <source>File and line at which the function begins</source>
        <translation>Datei und Zeile, an der die Funktion beginnt</translation>
    </message>
    <message>
        <source>Defined at %1</source>
        <translation>Definiert bei %1</translation>
    </message>
    <message>
        <source>Defined at</source>
        <translation>Definiert bei</translation>
    </message>
</context>
<context>
    <name>laggard::ChartPanel</name>
    <message>
        <source>What the chart shows</source>
        <translation>Was das Diagramm zeigt</translation>
    </message>
    <message>
        <source>Export the chart</source>
        <translation>Das Diagramm exportieren</translation>
    </message>
</context>
<context>
    <name>laggard::ChartView</name>
    <message>
        <source>Show &amp;everything</source>
        <translation>&amp;Alles zeigen</translation>
    </message>
    <message>
        <source>Zoom &amp;back</source>
        <translation>Zoom &amp;zurück</translation>
    </message>
    <message>
        <source>Zoom &amp;forth</source>
        <translation>Zoom &amp;vor</translation>
    </message>
    <message>
        <source>Export the &amp;picture …</source>
        <translation>Das &amp;Bild exportieren …</translation>
    </message>
    <message>
        <source>Export the &amp;values as CSV …</source>
        <translation>Die &amp;Werte als CSV exportieren …</translation>
    </message>
    <message>
        <source>There is nothing in this chart to draw.</source>
        <translation>In diesem Diagramm gibt es nichts zu zeichnen.</translation>
    </message>
    <message>
        <source>%1 has none of the endings .svg, .png and .pdf.</source>
        <translation>%1 endet weder auf .svg noch auf .png oder .pdf.</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>Diagramm</translation>
    </message>
</context>
<context>
    <name>laggard::ChipButton</name>
    <message>
        <source>Remove filter: %1</source>
        <translation>Filter entfernen: %1</translation>
    </message>
</context>
<context>
    <name>laggard::ClustersPanel</name>
    <message>
        <source>Clusters</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>What the dendrogram shows</source>
        <translation>Was das Dendrogramm zeigt</translation>
    </message>
    <message>
        <source>Trained threshold</source>
        <translation>Gelernte Schwelle</translation>
    </message>
    <message>
        <source>Export the &amp;picture …</source>
        <translation>Das &amp;Bild exportieren …</translation>
    </message>
    <message>
        <source>Export the clusters as &amp;CSV …</source>
        <translation>Die Cluster als &amp;CSV exportieren …</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ränge</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Deviation</source>
        <translation>Abweichung</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>How far it is from the other clusters of the phase</source>
        <translation>Wie weit er von den anderen Clustern der Phase entfernt ist</translation>
    </message>
    <message>
        <source>%1 small ones</source>
        <translation>%1 kleine</translation>
    </message>
    <message>
        <source>Back to the threshold that the analysis chose (Home). It is learned from how far ranks are apart in other phases: ranks whose models differ by less are one cluster.</source>
        <translation>Zurück zur Schwelle, die die Analyse gewählt hat (Pos1). Sie ist daran gelernt, wie weit Ränge in anderen Phasen auseinander liegen: Ränge, deren Modelle sich um weniger unterscheiden, sind ein Cluster.</translation>
    </message>
    <message>
        <source>How far its ranks are from their own counterparts (SMM metric), in squares of how much a time usually varies: where that is next to nothing, it is huge</source>
        <translation>Wie weit seine Ränge von ihren eigenen Gegenstücken entfernt sind (SMM-Maß), in Quadraten dessen, wie sehr eine Zeit gewöhnlich schwankt: Wo das fast nichts ist, ist es riesig</translation>
    </message>
</context>
<context>
    <name>laggard::CommandPalette</name>
    <message>
        <source>Nothing fits.</source>
        <translation>Nichts passt.</translation>
    </message>
    <message>
        <source>What fits</source>
        <translation>Was passt</translation>
    </message>
</context>
<context>
    <name>laggard::CompareJob</name>
    <message>
        <source>&quot;%1&quot; would take %2 of memory, more than the preferences allow.</source>
        <translation>„%1“ bräuchte %2 Speicher, mehr als die Einstellungen erlauben.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is a model dump: it has no calls that could be compared.</source>
        <translation>„%1“ ist ein Modellabzug: er hat keine Aufrufe, die zu vergleichen wären.</translation>
    </message>
    <message>
        <source>There is not enough memory for &quot;%1&quot;.</source>
        <translation>Der Speicher reicht nicht für „%1“.</translation>
    </message>
</context>
<context>
    <name>laggard::CorrectionJob</name>
    <message>
        <source>There is not enough memory for the trace without the recorder&apos;s time.</source>
        <translation>Der Speicher reicht nicht für den Trace ohne die Zeit des Rekorders.</translation>
    </message>
</context>
<context>
    <name>laggard::CutJob</name>
    <message>
        <source>There is not enough memory to cut the clusters anew.</source>
        <translation>Der Speicher reicht nicht, um die Cluster neu zu teilen.</translation>
    </message>
</context>
<context>
    <name>laggard::DamageBanner</name>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Show the warnings</source>
        <translation>Die Warnungen zeigen</translation>
    </message>
    <message>
        <source>Damage</source>
        <translation>Schaden</translation>
    </message>
</context>
<context>
    <name>laggard::DendrogramView</name>
    <message>
        <source>Dendrogram</source>
        <translation>Dendrogramm</translation>
    </message>
    <message>
        <source>Threshold %1, %2</source>
        <translation>Schwelle %1, %2</translation>
    </message>
    <message>
        <source>There is no dendrogram to draw.</source>
        <translation>Es gibt kein Dendrogramm zu zeichnen.</translation>
    </message>
</context>
<context>
    <name>laggard::DeparturesModel</name>
    <message>
        <source>, did not return</source>
        <translation>, kehrte nicht zurück</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Equal calls</source>
        <translation>Gleiche Aufrufe</translation>
    </message>
    <message>
        <source>MPI calls before it, the same in both runs</source>
        <translation>MPI-Aufrufe davor, in beiden Läufen dieselben</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>Dieser Lauf</translation>
    </message>
    <message>
        <source>The other run</source>
        <translation>Der andere Lauf</translation>
    </message>
</context>
<context>
    <name>laggard::DetailsModel</name>
    <message>
        <source>Enter or a click selects it</source>
        <translation>Eingabe oder ein Klick wählt es</translation>
    </message>
    <message>
        <source>Property</source>
        <translation>Eigenschaft</translation>
    </message>
    <message>
        <source>What is told</source>
        <translation>Was gesagt wird</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>An arrow: what can be selected</source>
        <translation>Ein Pfeil: was gewählt werden kann</translation>
    </message>
</context>
<context>
    <name>laggard::DetailsPanel</name>
    <message>
        <source>Details of the selection</source>
        <translation>Einzelheiten der Auswahl</translation>
    </message>
    <message>
        <source>Click on a call, a rank or a group: what is known of it stands here.</source>
        <translation>Klicken Sie auf einen Aufruf, Rang oder eine Gruppe: hier steht, was darüber bekannt ist.</translation>
    </message>
</context>
<context>
    <name>laggard::DistributionView</name>
    <message>
        <source>Choose a transition in the state model.</source>
        <translation>Wählen Sie einen Übergang im Zustandsmodell.</translation>
    </message>
    <message>
        <source>Times before %1, by cluster</source>
        <translation>Zeiten vor %1, nach Clustern</translation>
    </message>
    <message>
        <source>There is no transition to draw.</source>
        <translation>Es gibt keinen Übergang zu zeichnen.</translation>
    </message>
    <message>
        <source>Times before a transition, by cluster</source>
        <translation>Zeiten vor einem Übergang, nach Clustern</translation>
    </message>
</context>
<context>
    <name>laggard::DockLayout</name>
    <message>
        <source>&amp;Back to its place</source>
        <translation>&amp;Zurück an ihren Platz</translation>
    </message>
    <message>
        <source>&amp;Maximise</source>
        <translation>&amp;Maximieren</translation>
    </message>
    <message>
        <source>&amp;Put back into the window</source>
        <translation>&amp;Zurück ins Fenster</translation>
    </message>
    <message>
        <source>&amp;Take out of the window</source>
        <translation>&amp;Aus dem Fenster nehmen</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Schließen</translation>
    </message>
</context>
<context>
    <name>laggard::FilterBar</name>
    <message>
        <source>Filter:</source>
        <translation>Filter:</translation>
    </message>
    <message>
        <source>Add a filter…</source>
        <translation>Filter hinzufügen …</translation>
    </message>
    <message>
        <source>Filter by ranks, duration or time</source>
        <translation>Nach Rängen, Dauer oder Zeit filtern</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Undo the last step of filter or zoom</source>
        <translation>Den letzten Schritt von Filter oder Zoom rückgängig machen</translation>
    </message>
    <message>
        <source>Clear all</source>
        <translation>Alle entfernen</translation>
    </message>
    <message>
        <source>Show everything again</source>
        <translation>Wieder alles zeigen</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Click to remove</source>
        <translation>Klicken zum Entfernen</translation>
    </message>
</context>
<context>
    <name>laggard::FilterEditor</name>
    <message>
        <source>The trace has ranks 0 to %1.</source>
        <translation>Die Spur hat die Ränge 0 bis %1.</translation>
    </message>
    <message>
        <source>Ranks are numbers and ranges, such as 0-2,4-15.</source>
        <translation>Ränge sind Zahlen und Bereiche, etwa 0-2,4-15.</translation>
    </message>
    <message>
        <source>“%1” is not a time: write 1.5 ms, 20 us or 3 s.</source>
        <translation>„%1“ ist keine Zeit: schreiben Sie 1.5 ms, 20 us oder 3 s.</translation>
    </message>
    <message>
        <source>The time range is empty: the trace lasts %1.</source>
        <translation>Der Zeitraum ist leer: die Spur dauert %1.</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>all, or 0-2,4-15</source>
        <translation>alle, oder 0-2,4-15</translation>
    </message>
    <message>
        <source>any, or 1.5 ms</source>
        <translation>jede, oder 1.5 ms</translation>
    </message>
    <message>
        <source>start of the trace</source>
        <translation>Anfang der Spur</translation>
    </message>
    <message>
        <source>end of the trace</source>
        <translation>Ende der Spur</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>Was nicht stimmt</translation>
    </message>
    <message>
        <source>Only &amp;ranks</source>
        <translation>Nur &amp;Ränge</translation>
    </message>
    <message>
        <source>Only calls of at &amp;least</source>
        <translation>Nur Aufrufe von &amp;mindestens</translation>
    </message>
    <message>
        <source>Only calls &amp;after</source>
        <translation>Nur Aufrufe &amp;nach</translation>
    </message>
    <message>
        <source>Only calls &amp;before</source>
        <translation>Nur Aufrufe &amp;vor</translation>
    </message>
</context>
<context>
    <name>laggard::FindBar</name>
    <message>
        <source>Find in this file</source>
        <translation>In dieser Datei suchen</translation>
    </message>
    <message>
        <source>Result of the search</source>
        <translation>Ergebnis der Suche</translation>
    </message>
    <message>
        <source>Find previous (Shift+Enter)</source>
        <translation>Vorige Stelle (Umschalt+Eingabe)</translation>
    </message>
    <message>
        <source>Find next (Enter)</source>
        <translation>Nächste Stelle (Eingabe)</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>Nicht gefunden</translation>
    </message>
</context>
<context>
    <name>laggard::FindingsModel</name>
    <message>
        <source>Score %1 of 1, comparable within a method</source>
        <translation>Stärke %1 von 1, innerhalb einer Methode vergleichbar</translation>
    </message>
    <message>
        <source>unknown host</source>
        <translation>unbekannter Rechner</translation>
    </message>
    <message>
        <source>All suspects on %1: %2</source>
        <translation>Alle Verdächtigen auf %1: %2</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1: %2, %3</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ränge</translation>
    </message>
    <message>
        <source>Ranks in MPI_COMM_WORLD that the finding is about</source>
        <translation>Ränge in MPI_COMM_WORLD, um die es geht</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Methode</translation>
    </message>
    <message>
        <source>The analysis that found it</source>
        <translation>Die Analyse, die es gefunden hat</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>Funktion</translation>
    </message>
    <message>
        <source>Innermost function</source>
        <translation>Innerste Funktion</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>File and line of the function, or of its nearest caller with a known source</source>
        <translation>Datei und Zeile der Funktion, oder ihres nächsten Aufrufers mit bekannter Quelle</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>0 to 1, comparable within a method</source>
        <translation>0 bis 1, innerhalb einer Methode vergleichbar</translation>
    </message>
    <message>
        <source>%1, and %2 agree</source>
        <translation>%1, und %2 stimmen überein</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>%1, %2 times</source>
        <translation>%1, %2-mal</translation>
    </message>
    <message>
        <source>%1, %2, strength %3: %4</source>
        <translation>%1, %2, Stärke %3: %4</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1, each by itself</source>
        <translation>%1, jeder für sich</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>dieselbe</translation>
    </message>
</context>
<context>
    <name>laggard::FindingsPanel</name>
    <message>
        <source>&amp;Group by host</source>
        <translation>Nach &amp;Rechner gruppieren</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>No findings.</source>
        <translation>Keine Befunde.</translation>
    </message>
</context>
<context>
    <name>laggard::FunctionsModel</name>
    <message>
        <source>other run only</source>
        <translation>nur im anderen</translation>
    </message>
    <message>
        <source>this run only</source>
        <translation>nur in diesem</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>Funktion</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>Dieser Lauf</translation>
    </message>
    <message>
        <source>Time in it, summed over all ranks, callees apart</source>
        <translation>Zeit in ihr, über alle Ränge summiert, ohne Gerufene</translation>
    </message>
    <message>
        <source>This run, s</source>
        <translation>Dieser Lauf, s</translation>
    </message>
    <message>
        <source>The other</source>
        <translation>Der andere</translation>
    </message>
    <message>
        <source>The same in the other run</source>
        <translation>Dasselbe im anderen Lauf</translation>
    </message>
    <message>
        <source>The other, s</source>
        <translation>Der andere, s</translation>
    </message>
    <message>
        <source>Ratio</source>
        <translation>Verhältnis</translation>
    </message>
    <message>
        <source>How many times as long as in the other run</source>
        <translation>Wievielmal so lang wie im anderen Lauf</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Calls in this run</source>
        <translation>Aufrufe in diesem Lauf</translation>
    </message>
    <message>
        <source>Calls, this run</source>
        <translation>Aufrufe, dieser Lauf</translation>
    </message>
    <message>
        <source>Calls, other</source>
        <translation>Aufrufe, anderer</translation>
    </message>
    <message>
        <source>Calls in the other run</source>
        <translation>Aufrufe im anderen Lauf</translation>
    </message>
</context>
<context>
    <name>laggard::GraphCanvas</name>
    <message>
        <source>The graph cannot be drawn: %1</source>
        <translation>Der Graph kann nicht gezeichnet werden: %1</translation>
    </message>
    <message>
        <source>Laying out the graph … The list says the same. Escape cancels.</source>
        <translation>Der Graph wird angeordnet … Die Liste sagt dasselbe. Escape bricht ab.</translation>
    </message>
    <message>
        <source>its layout was cancelled. The list says the same.</source>
        <translation>das Anordnen wurde abgebrochen. Die Liste sagt dasselbe.</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>Ver&amp;größern</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>Ver&amp;kleinern</translation>
    </message>
    <message>
        <source>&amp;Fit</source>
        <translation>Ein&amp;passen</translation>
    </message>
</context>
<context>
    <name>laggard::ItemView</name>
    <message>
        <source>Export as CSV</source>
        <translation>Als CSV exportieren</translation>
    </message>
    <message>
        <source>%1 could not be written: %2.</source>
        <translation>%1 konnte nicht geschrieben werden: %2.</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>Alles kopieren</translation>
    </message>
    <message>
        <source>Export as CSV…</source>
        <translation>Als CSV exportieren …</translation>
    </message>
</context>
<context>
    <name>laggard::LastRecordsPanel</name>
    <message>
        <source>Last records</source>
        <translation>Letzte Einträge</translation>
    </message>
</context>
<context>
    <name>laggard::LatenessPanel</name>
    <message>
        <source>Collectives, by machine</source>
        <translation>Kollektive, nach Rechner</translation>
    </message>
    <message>
        <source>Collectives, by rank</source>
        <translation>Kollektive, nach Rang</translation>
    </message>
    <message>
        <source>Steps, by machine</source>
        <translation>Schritte, nach Rechner</translation>
    </message>
    <message>
        <source>Steps, by rank</source>
        <translation>Schritte, nach Rang</translation>
    </message>
    <message>
        <source>Messages, by machine</source>
        <translation>Nachrichten, nach Rechner</translation>
    </message>
    <message>
        <source>Messages, by rank</source>
        <translation>Nachrichten, nach Rang</translation>
    </message>
    <message>
        <source>Always last</source>
        <translation>Immer zuletzt</translation>
    </message>
    <message>
        <source>Occasions, and whom they are counted for</source>
        <translation>Gelegenheiten, und für wen sie gezählt werden</translation>
    </message>
    <message>
        <source>There are no collectives or steps in which ranks wait for each other.</source>
        <translation>Es gibt keine kollektiven Aufrufe oder Schritte, in denen Ränge aufeinander warten.</translation>
    </message>
</context>
<context>
    <name>laggard::LegendModel</name>
    <message>
        <source>, %1 of them not returned</source>
        <translation>, davon %1 nicht zurückgekehrt</translation>
    </message>
    <message>
        <source>inclusive %1 s, exclusive %2 s</source>
        <translation>mit Gerufenen %1 s, ohne %2 s</translation>
    </message>
    <message>
        <source>shown</source>
        <translation>gezeigt</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>verborgen</translation>
    </message>
    <message>
        <source>Whether calls of the function are drawn</source>
        <translation>Ob Aufrufe der Funktion gezeichnet werden</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>Funktion</translation>
    </message>
    <message>
        <source>Function, with the colour of its calls</source>
        <translation>Funktion, mit der Farbe ihrer Aufrufe</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Calls that overlap the window</source>
        <translation>Aufrufe, die in den Zeitraum reichen</translation>
    </message>
    <message>
        <source>Inclusive</source>
        <translation>Mit Aufgerufenen</translation>
    </message>
    <message>
        <source>Time in the function and what it calls, over all ranks</source>
        <translation>Zeit in der Funktion und was sie ruft, aller Ränge</translation>
    </message>
    <message>
        <source>Exclusive</source>
        <translation>Ohne Aufgerufene</translation>
    </message>
    <message>
        <source>Time in the function itself, over all ranks</source>
        <translation>Zeit in der Funktion selbst, aller Ränge</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Exclusive time, in percent of all functions</source>
        <translation>Eigene Zeit, in Prozent aller Funktionen</translation>
    </message>
    <message>
        <source>Vermilion on the ranks that the verdict names</source>
        <translation>Zinnoberrot auf den Rängen, die das Urteil nennt</translation>
    </message>
    <message>
        <source>Defined at %1</source>
        <translation>Definiert bei %1</translation>
    </message>
</context>
<context>
    <name>laggard::LegendPanel</name>
    <message>
        <source>Functions</source>
        <translation>Funktionen</translation>
    </message>
    <message>
        <source>Search functions</source>
        <translation>Funktionen suchen</translation>
    </message>
    <message>
        <source>Whole trace</source>
        <translation>Ganzer Trace</translation>
    </message>
    <message>
        <source>Shown window</source>
        <translation>Gezeigtes Fenster</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>What the numbers are about</source>
        <translation>Worum es bei den Zahlen geht</translation>
    </message>
    <message>
        <source>Count and times of the whole trace, of the time shown, or of the selected ranks and time</source>
        <translation>Zahl und Zeiten der ganzen Spur, der gezeigten Zeit oder der gewählten Ränge und Zeit</translation>
    </message>
    <message>
        <source>Draw the listed functions</source>
        <translation>Die aufgeführten Funktionen zeichnen</translation>
    </message>
    <message>
        <source>Do not draw the listed functions</source>
        <translation>Die aufgeführten Funktionen nicht zeichnen</translation>
    </message>
    <message>
        <source>No functions.</source>
        <translation>Keine Funktionen.</translation>
    </message>
    <message>
        <source>Change &amp;colour…</source>
        <translation>&amp;Farbe ändern …</translation>
    </message>
    <message>
        <source>Show &amp;only this</source>
        <translation>&amp;Nur diese zeigen</translation>
    </message>
    <message>
        <source>&amp;Hide</source>
        <translation>&amp;Verbergen</translation>
    </message>
    <message>
        <source>Colour of %1</source>
        <translation>Farbe von %1</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
</context>
<context>
    <name>laggard::LoadJob</name>
    <message>
        <source>There is not enough memory for &quot;%1&quot;.</source>
        <translation>Der Speicher reicht nicht für „%1“.</translation>
    </message>
</context>
<context>
    <name>laggard::LoadingPage</name>
    <message>
        <source>Progress of loading</source>
        <translation>Fortschritt des Ladens</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>%1 wird geöffnet</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>beginnt</translation>
    </message>
</context>
<context>
    <name>laggard::MainWindow</name>
    <message>
        <source>&amp;Analysis</source>
        <translation>&amp;Analyse</translation>
    </message>
    <message>
        <source>Compare &amp;with …</source>
        <translation>Vergleichen &amp;mit …</translation>
    </message>
    <message>
        <source>Choose reference traces: runs of the same program that were well</source>
        <translation>Vergleichstraces wählen: Läufe desselben Programms, in denen alles gut war</translation>
    </message>
    <message>
        <source>&amp;Profiles of ranks</source>
        <translation>&amp;Profile der Ränge</translation>
    </message>
    <message>
        <source>By call &amp;path</source>
        <translation>Nach &amp;Aufrufpfad</translation>
    </message>
    <message>
        <source>By &amp;function</source>
        <translation>Nach &amp;Funktion</translation>
    </message>
    <message>
        <source>They &amp;measure</source>
        <translation>Sie m&amp;essen</translation>
    </message>
    <message>
        <source>&amp;Time</source>
        <translation>&amp;Zeit</translation>
    </message>
    <message>
        <source>&amp;Coverage: called or not</source>
        <translation>&amp;Abdeckung: aufgerufen oder nicht</translation>
    </message>
    <message>
        <source>&amp;Run again</source>
        <translation>&amp;Noch einmal</translation>
    </message>
    <message>
        <source>Compare ranks, phases and runs anew</source>
        <translation>Ränge, Phasen und Läufe neu vergleichen</translation>
    </message>
    <message>
        <source>&amp;Cancel the analyses</source>
        <translation>Analysen &amp;abbrechen</translation>
    </message>
    <message>
        <source>End those that are running beside the window</source>
        <translation>Die beenden, die neben dem Fenster laufen</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Open …</source>
        <translation>Ö&amp;ffnen …</translation>
    </message>
    <message>
        <source>Open the anchor file of a trace</source>
        <translation>Die Ankerdatei eines Traces öffnen</translation>
    </message>
    <message>
        <source>Open a &amp;folder …</source>
        <translation>Or&amp;dner öffnen …</translation>
    </message>
    <message>
        <source>Open the trace that a folder holds</source>
        <translation>Den Trace öffnen, den ein Ordner enthält</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Open the exa&amp;mple</source>
        <translation>Beis&amp;piel öffnen</translation>
    </message>
    <message>
        <source>A stencil code that hangs</source>
        <translation>Ein Stencil-Programm, das hängt</translation>
    </message>
    <message>
        <source>Re&amp;load</source>
        <translation>&amp;Neu laden</translation>
    </message>
    <message>
        <source>Read the trace again</source>
        <translation>Den Trace noch einmal lesen</translation>
    </message>
    <message>
        <source>&amp;Export what has the focus …</source>
        <translation>Was den Fokus hat, &amp;exportieren …</translation>
    </message>
    <message>
        <source>The graph or the timeline as SVG, PNG or PDF, a table as CSV</source>
        <translation>Den Graphen oder die Zeitleiste als SVG, PNG oder PDF, eine Tabelle als CSV</translation>
    </message>
    <message>
        <source>Export the &amp;graph …</source>
        <translation>&amp;Graphen exportieren …</translation>
    </message>
    <message>
        <source>The whole graph as SVG, PNG, PDF or DOT</source>
        <translation>Den ganzen Graphen als SVG, PNG, PDF oder DOT</translation>
    </message>
    <message>
        <source>Export the &amp;timeline …</source>
        <translation>Zeit&amp;leiste exportieren …</translation>
    </message>
    <message>
        <source>All rows of the shown time as SVG, PNG or PDF</source>
        <translation>Alle Zeilen der gezeigten Zeit als SVG, PNG oder PDF</translation>
    </message>
    <message>
        <source>Export a re&amp;port …</source>
        <translation>Be&amp;richt exportieren …</translation>
    </message>
    <message>
        <source>Verdict, findings, pictures and warnings as one HTML page</source>
        <translation>Urteil, Befunde, Bilder und Warnungen als eine HTML-Seite</translation>
    </message>
    <message>
        <source>Export the sli&amp;ce …</source>
        <translation>&amp;Slice exportieren …</translation>
    </message>
    <message>
        <source>The steps of the slice as text, CSV or JSON</source>
        <translation>Die Schritte des Slices als Text, CSV oder JSON</translation>
    </message>
    <message>
        <source>&amp;Save the session as …</source>
        <translation>Sitzung speichern &amp;unter …</translation>
    </message>
    <message>
        <source>Layout, notes, filters, colours and source folders</source>
        <translation>Anordnung, Notizen, Filter, Farben und Quellordner</translation>
    </message>
    <message>
        <source>Open a sess&amp;ion …</source>
        <translation>S&amp;itzung öffnen …</translation>
    </message>
    <message>
        <source>What was saved with &quot;Save the session as&quot;</source>
        <translation>Was mit „Sitzung speichern unter“ gespeichert wurde</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>Das Fenster schließen</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Undo zoom or filter</source>
        <translation>Zoom oder Filter &amp;rückgängig</translation>
    </message>
    <message>
        <source>Go back to the zoom and filter before</source>
        <translation>Zurück zu Zoom und Filter davor</translation>
    </message>
    <message>
        <source>&amp;Redo zoom or filter</source>
        <translation>Zoom oder Filter &amp;wiederherstellen</translation>
    </message>
    <message>
        <source>Take back the undo</source>
        <translation>Das Rückgängig zurücknehmen</translation>
    </message>
    <message>
        <source>Selection &amp;before</source>
        <translation>Auswahl &amp;davor</translation>
    </message>
    <message>
        <source>Select what was selected before</source>
        <translation>Auswählen, was vorher ausgewählt war</translation>
    </message>
    <message>
        <source>Selection &amp;after</source>
        <translation>Auswahl da&amp;nach</translation>
    </message>
    <message>
        <source>Select what was selected after</source>
        <translation>Auswählen, was danach ausgewählt war</translation>
    </message>
    <message>
        <source>Select &amp;nothing</source>
        <translation>N&amp;ichts auswählen</translation>
    </message>
    <message>
        <source>Clear the selection</source>
        <translation>Die Auswahl aufheben</translation>
    </message>
    <message>
        <source>N&amp;ote on the selected group …</source>
        <translation>N&amp;otiz zur gewählten Gruppe …</translation>
    </message>
    <message>
        <source>Type a note that is drawn in the node of the graph</source>
        <translation>Eine Notiz schreiben, die im Knoten des Graphen steht</translation>
    </message>
    <message>
        <source>&amp;Preferences …</source>
        <translation>&amp;Einstellungen …</translation>
    </message>
    <message>
        <source>Colours, memory, calls in the timeline, size of the source text</source>
        <translation>Farben, Speicher, Aufrufe in der Zeitleiste, Größe des Quelltexts</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Reset the layout</source>
        <translation>Anordnung z&amp;urücksetzen</translation>
    </message>
    <message>
        <source>Show &amp;all time</source>
        <translation>&amp;Alle Zeit zeigen</translation>
    </message>
    <message>
        <source>The whole trace in the timeline</source>
        <translation>Der ganze Trace in der Zeitleiste</translation>
    </message>
    <message>
        <source>Show the &amp;end of activity</source>
        <translation>Das &amp;Ende der Aktivität zeigen</translation>
    </message>
    <message>
        <source>The last time in which something happened</source>
        <translation>Die letzte Zeit, in der etwas geschah</translation>
    </message>
    <message>
        <source>Fit the &amp;graph</source>
        <translation>Graphen ein&amp;passen</translation>
    </message>
    <message>
        <source>The whole graph in its panel</source>
        <translation>Der ganze Graph in seiner Tafel</translation>
    </message>
    <message>
        <source>All &amp;waits in the graph</source>
        <translation>Alle &amp;Wartebeziehungen im Graphen</translation>
    </message>
    <message>
        <source>Also those that follow from others; off: only those that say it all</source>
        <translation>Auch die, die aus anderen folgen; aus: nur die, die alles sagen</translation>
    </message>
    <message>
        <source>&amp;Nested calls</source>
        <translation>Verschachtelte A&amp;ufrufe</translation>
    </message>
    <message>
        <source>One line for each depth of call, or one for each rank</source>
        <translation>Eine Zeile je Aufruftiefe oder eine je Rang</translation>
    </message>
    <message>
        <source>&amp;Order of rows</source>
        <translation>&amp;Reihenfolge der Zeilen</translation>
    </message>
    <message>
        <source>By &amp;rank</source>
        <translation>Nach &amp;Rang</translation>
    </message>
    <message>
        <source>By &amp;machine</source>
        <translation>Nach &amp;Rechner</translation>
    </message>
    <message>
        <source>By group in the &amp;graph</source>
        <translation>Nach Gruppe im &amp;Graphen</translation>
    </message>
    <message>
        <source>By &amp;last event, quiet ones first</source>
        <translation>Nach dem &amp;letzten Ereignis, die stillen zuerst</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>&amp;Farben</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>&amp;Gehe zu</translation>
    </message>
    <message>
        <source>&amp;Least progressed</source>
        <translation>Am weni&amp;gsten fortgeschritten</translation>
    </message>
    <message>
        <source>Select the ranks that made the least progress</source>
        <translation>Die Ränge auswählen, die am wenigsten fortgeschritten sind</translation>
    </message>
    <message>
        <source>Wh&amp;y?</source>
        <translation>&amp;Warum?</translation>
    </message>
    <message>
        <source>The evidence for the selected edge, group or the verdict</source>
        <translation>Der Beleg für die gewählte Kante, Gruppe oder das Urteil</translation>
    </message>
    <message>
        <source>The moment at the c&amp;ursor</source>
        <translation>Der Augenblick am &amp;Cursor</translation>
    </message>
    <message>
        <source>Who waited for whom at the cursor of the timeline; a click on its axis does the same</source>
        <translation>Wer am Cursor der Zeitleiste auf wen wartete; ein Klick auf ihre Achse tut dasselbe</translation>
    </message>
    <message>
        <source>The timeline has no cursor: click on its axis</source>
        <translation>Die Zeitleiste hat keinen Cursor: klicken Sie auf ihre Achse</translation>
    </message>
    <message>
        <source>When did it s&amp;tart?</source>
        <translation>Wann hat es &amp;begonnen?</translation>
    </message>
    <message>
        <source>The moment from which the least-progressed ranks were those of the end</source>
        <translation>Der Augenblick, von dem an die Ränge des Endes am wenigsten fortgeschritten waren</translation>
    </message>
    <message>
        <source>Back to the en&amp;d</source>
        <translation>Zurück &amp;zum Ende</translation>
    </message>
    <message>
        <source>Who waits for whom at the end of the trace</source>
        <translation>Wer am Ende des Traces auf wen wartet</translation>
    </message>
    <message>
        <source>Ne&amp;xt line of the slice</source>
        <translation>&amp;Nächste Zeile des Slices</translation>
    </message>
    <message>
        <source>The next line that made the least progressed stop where it did; over a message, on another rank</source>
        <translation>Die nächste Zeile, die dazu führte, wo der Rang steht; über eine Nachricht auch auf einem anderen Rang</translation>
    </message>
    <message>
        <source>Pre&amp;vious line of the slice</source>
        <translation>&amp;Vorige Zeile des Slices</translation>
    </message>
    <message>
        <source>The line of the slice before, nearer to where the rank stands</source>
        <translation>Die Zeile des Slices davor, näher an dem Ort, an dem der Rang steht</translation>
    </message>
    <message>
        <source>Sl&amp;ice of the least progressed</source>
        <translation>&amp;Slice des am wenigsten Fortgeschrittenen</translation>
    </message>
    <message>
        <source>Compile the sources, and find the lines that made it stop where it did</source>
        <translation>Die Quellen übersetzen und die Zeilen finden, die zum Halt geführt haben</translation>
    </message>
    <message>
        <source>Slice fr&amp;om the line of the source panel</source>
        <translation>Slice von der Zeile der &amp;Quelltafel</translation>
    </message>
    <message>
        <source>The same for the selected ranks, from the frame that the source panel shows</source>
        <translation>Dasselbe für die gewählten Ränge, vom Rahmen an, den die Quelltafel zeigt</translation>
    </message>
    <message>
        <source>&amp;Rank, function or time …</source>
        <translation>&amp;Rang, Funktion oder Zeit …</translation>
    </message>
    <message>
        <source>Type where to go</source>
        <translation>Eingeben, wohin</translation>
    </message>
    <message>
        <source>&amp;Find a function …</source>
        <translation>&amp;Funktion suchen …</translation>
    </message>
    <message>
        <source>Type a part of its name</source>
        <translation>Einen Teil ihres Namens eingeben</translation>
    </message>
    <message>
        <source>&amp;Next call of the function</source>
        <translation>Näc&amp;hster Aufruf der Funktion</translation>
    </message>
    <message>
        <source>Ctrl+G in the timeline</source>
        <translation>Strg+G in der Zeitleiste</translation>
    </message>
    <message>
        <source>&amp;Previous call of the function</source>
        <translation>V&amp;origer Aufruf der Funktion</translation>
    </message>
    <message>
        <source>Ctrl+Shift+G in the timeline</source>
        <translation>Strg+Umschalt+G in der Zeitleiste</translation>
    </message>
    <message>
        <source>Zoom to the &amp;selection</source>
        <translation>A&amp;uf die Auswahl zoomen</translation>
    </message>
    <message>
        <source>F in the timeline</source>
        <translation>F in der Zeitleiste</translation>
    </message>
    <message>
        <source>&amp;Measure time</source>
        <translation>Zeit &amp;messen</translation>
    </message>
    <message>
        <source>M in the timeline; drag to measure</source>
        <translation>M in der Zeitleiste; ziehen, um zu messen</translation>
    </message>
    <message>
        <source>To panel &quot;%1&quot;</source>
        <translation>Zur Tafel „%1“</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>&amp;Tasten</translation>
    </message>
    <message>
        <source>All commands and their keys</source>
        <translation>Alle Befehle und ihre Tasten</translation>
    </message>
    <message>
        <source>&amp;Commands …</source>
        <translation>&amp;Befehle …</translation>
    </message>
    <message>
        <source>Type a part of a command&apos;s name</source>
        <translation>Einen Teil des Namens eines Befehls eingeben</translation>
    </message>
    <message>
        <source>&amp;About Laggard</source>
        <translation>&amp;Über Laggard</translation>
    </message>
    <message>
        <source>Function …</source>
        <translation>Funktion …</translation>
    </message>
    <message>
        <source>Rank, function or time …</source>
        <translation>Rang, Funktion oder Zeit …</translation>
    </message>
    <message>
        <source>Command …</source>
        <translation>Befehl …</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>Tafeln</translation>
    </message>
    <message>
        <source>Go to a panel</source>
        <translation>Zu einer Tafel gehen</translation>
    </message>
    <message>
        <source>Ctrl+Shift+P, its name</source>
        <translation>Strg+Umschalt+P, sein Name</translation>
    </message>
    <message>
        <source>Open or close a panel</source>
        <translation>Eine Tafel öffnen oder schließen</translation>
    </message>
    <message>
        <source>Next, previous part</source>
        <translation>Nächster, voriger Teil</translation>
    </message>
    <message>
        <source>Tab / Shift+Tab; in texts Ctrl+Tab</source>
        <translation>Tab / Umschalt+Tab; in Texten Strg+Tab</translation>
    </message>
    <message>
        <source>In the timeline</source>
        <translation>In der Zeitleiste</translation>
    </message>
    <message>
        <source>Zoom in, out</source>
        <translation>Vergrößern, verkleinern</translation>
    </message>
    <message>
        <source>W / S, + / −, wheel</source>
        <translation>W / S, + / −, Rad</translation>
    </message>
    <message>
        <source>Move in time</source>
        <translation>Durch die Zeit gehen</translation>
    </message>
    <message>
        <source>A / D, ← / →, drag</source>
        <translation>A / D, ← / →, ziehen</translation>
    </message>
    <message>
        <source>Start, end, all</source>
        <translation>Anfang, Ende, alles</translation>
    </message>
    <message>
        <source>Home / End / 0</source>
        <translation>Pos1 / Ende / 0</translation>
    </message>
    <message>
        <source>Zoom to the selection</source>
        <translation>Zur Auswahl zoomen</translation>
    </message>
    <message>
        <source>F</source>
        <translation>F</translation>
    </message>
    <message>
        <source>Zoom to a stretch of time</source>
        <translation>Zu einem Zeitraum zoomen</translation>
    </message>
    <message>
        <source>Shift+drag or right drag</source>
        <translation>Umschalt+Ziehen oder mit der rechten Taste</translation>
    </message>
    <message>
        <source>Select a stretch of time</source>
        <translation>Einen Zeitraum wählen</translation>
    </message>
    <message>
        <source>drag on the axis</source>
        <translation>an der Achse ziehen</translation>
    </message>
    <message>
        <source>Next, previous call of the function</source>
        <translation>Nächster, voriger Aufruf der Funktion</translation>
    </message>
    <message>
        <source>Ctrl+G / Ctrl+Shift+G</source>
        <translation>Strg+G / Strg+Umschalt+G</translation>
    </message>
    <message>
        <source>Rank above, below; call before, after</source>
        <translation>Rang darüber, darunter; Aufruf davor, danach</translation>
    </message>
    <message>
        <source>Ctrl+↑ ↓ ← →</source>
        <translation>Strg+↑ ↓ ← →</translation>
    </message>
    <message>
        <source>Measure time</source>
        <translation>Zeit messen</translation>
    </message>
    <message>
        <source>M</source>
        <translation>M</translation>
    </message>
    <message>
        <source>Height of rows</source>
        <translation>Höhe der Zeilen</translation>
    </message>
    <message>
        <source>Ctrl+wheel</source>
        <translation>Strg+Rad</translation>
    </message>
    <message>
        <source>In the graph</source>
        <translation>Im Graphen</translation>
    </message>
    <message>
        <source>Choose a group, go to a neighbour</source>
        <translation>Eine Gruppe wählen, zum Nachbarn gehen</translation>
    </message>
    <message>
        <source>click, arrow keys</source>
        <translation>Klick, Pfeiltasten</translation>
    </message>
    <message>
        <source>Zoom, fit</source>
        <translation>Zoomen, einpassen</translation>
    </message>
    <message>
        <source>+ / − / 0, wheel</source>
        <translation>+ / − / 0, Rad</translation>
    </message>
    <message>
        <source>Edit the note of the group</source>
        <translation>Die Notiz der Gruppe ändern</translation>
    </message>
    <message>
        <source>Enter, double click</source>
        <translation>Eingabe, Doppelklick</translation>
    </message>
    <message>
        <source>In the source</source>
        <translation>In der Quelle</translation>
    </message>
    <message>
        <source>Caller, called function</source>
        <translation>Aufrufer, gerufene Funktion</translation>
    </message>
    <message>
        <source>Alt+↑ / Alt+↓</source>
        <translation>Alt+↑ / Alt+↓</translation>
    </message>
    <message>
        <source>Find in the text; next, previous</source>
        <translation>Im Text suchen; nächste, vorige Stelle</translation>
    </message>
    <message>
        <source>Ctrl+F; F3 / Shift+F3</source>
        <translation>Strg+F; F3 / Umschalt+F3</translation>
    </message>
    <message>
        <source>Size of the text, for now</source>
        <translation>Größe des Texts, vorerst</translation>
    </message>
    <message>
        <source>Ctrl++ / Ctrl+−, Ctrl+wheel</source>
        <translation>Strg++ / Strg+−, Strg+Rad</translation>
    </message>
    <message>
        <source>In charts</source>
        <translation>In Diagrammen</translation>
    </message>
    <message>
        <source>Walk along, choose</source>
        <translation>Entlanggehen, wählen</translation>
    </message>
    <message>
        <source>arrow keys, Enter; click</source>
        <translation>Pfeiltasten, Eingabe; Klick</translation>
    </message>
    <message>
        <source>Zoom, move</source>
        <translation>Zoomen, bewegen</translation>
    </message>
    <message>
        <source>+ / −, wheel; A / D, drag</source>
        <translation>+ / −, Rad; A / D, ziehen</translation>
    </message>
    <message>
        <source>Zoom to a stretch</source>
        <translation>Zu einem Stück zoomen</translation>
    </message>
    <message>
        <source>All; zoom back, forth</source>
        <translation>Alles; Zoom zurück, vor</translation>
    </message>
    <message>
        <source>0; Backspace / Shift+Backspace</source>
        <translation>0; Rücktaste / Umschalt+Rücktaste</translation>
    </message>
    <message>
        <source>In lists</source>
        <translation>In Listen</translation>
    </message>
    <message>
        <source>Choose; add; extend</source>
        <translation>Wählen; hinzunehmen; erweitern</translation>
    </message>
    <message>
        <source>click or Enter; with Ctrl; with Shift</source>
        <translation>Klick oder Eingabe; mit Strg; mit Umschalt</translation>
    </message>
    <message>
        <source>Copy rows</source>
        <translation>Zeilen kopieren</translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation>Strg+C</translation>
    </message>
    <message>
        <source>About Laggard</source>
        <translation>Über Laggard</translation>
    </message>
    <message>
        <source>&lt;p&gt;&lt;b&gt;Laggard %1&lt;/b&gt;&lt;/p&gt;&lt;p&gt;Which task of a parallel job made the least progress, when, and in which code.&lt;/p&gt;&lt;p&gt;Free software under the GNU General Public License, version 3 or later.&lt;/p&gt;</source>
        <translation>&lt;p&gt;&lt;b&gt;Laggard %1&lt;/b&gt;&lt;/p&gt;&lt;p&gt;Welcher Prozess eines parallelen Jobs am wenigsten fortgeschritten ist, wann und in welchem Code.&lt;/p&gt;&lt;p&gt;Freie Software unter der GNU General Public License, Version 3 oder später.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Compare &amp;with another run …</source>
        <translation>Mit einem anderen Lauf &amp;vergleichen …</translation>
    </message>
    <message>
        <source>Show another run of the same program below this one, and where they part</source>
        <translation>Einen anderen Lauf desselben Programms unter diesem zeigen, und wo beide auseinandergehen</translation>
    </message>
    <message>
        <source>Close the compariso&amp;n</source>
        <translation>Verglei&amp;ch schließen</translation>
    </message>
    <message>
        <source>Show this run alone</source>
        <translation>Diesen Lauf allein zeigen</translation>
    </message>
    <message>
        <source>Compare with another run</source>
        <translation>Mit einem anderen Lauf vergleichen</translation>
    </message>
    <message>
        <source>Open a trace</source>
        <translation>Trace öffnen</translation>
    </message>
    <message>
        <source>Traces (*.otf2 *.laggard *.json *.dump);;All files (*)</source>
        <translation>Traces (*.otf2 *.laggard *.json *.dump);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Open a folder with a trace</source>
        <translation>Ordner mit einem Trace öffnen</translation>
    </message>
    <message>
        <source>Export the graph</source>
        <translation>Graphen exportieren</translation>
    </message>
    <message>
        <source>Export the timeline</source>
        <translation>Zeitleiste exportieren</translation>
    </message>
    <message>
        <source>Export a report</source>
        <translation>Bericht exportieren</translation>
    </message>
    <message>
        <source>Export the slice</source>
        <translation>Slice exportieren</translation>
    </message>
    <message>
        <source>Save the session</source>
        <translation>Sitzung speichern</translation>
    </message>
    <message>
        <source>Open a session</source>
        <translation>Sitzung öffnen</translation>
    </message>
    <message>
        <source>Session (*.json)</source>
        <translation>Sitzung (*.json)</translation>
    </message>
    <message>
        <source>Loading was cancelled</source>
        <translation>Das Laden wurde abgebrochen</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>%1 – Laggard</source>
        <translation>%1 – Laggard</translation>
    </message>
    <message>
        <source>%1   %2</source>
        <translation>%1   %2</translation>
    </message>
    <message>
        <source>%1   %2   %3</source>
        <translation>%1   %2   %3</translation>
    </message>
    <message>
        <source>Laggard</source>
        <translation>Laggard</translation>
    </message>
    <message>
        <source>&amp;Clear the list</source>
        <translation>Liste &amp;leeren</translation>
    </message>
    <message>
        <source>&amp;Filter …</source>
        <translation>&amp;Filter …</translation>
    </message>
    <message>
        <source>Leave ranks, functions, short calls or times out</source>
        <translation>Ränge, Funktionen, kurze Aufrufe oder Zeiten weglassen</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>Ver&amp;größern</translation>
    </message>
    <message>
        <source>Less time in the timeline; there also W or +</source>
        <translation>Weniger Zeit in der Zeitleiste; dort auch W oder +</translation>
    </message>
    <message>
        <source>Zoom o&amp;ut</source>
        <translation>Ver&amp;kleinern</translation>
    </message>
    <message>
        <source>More time in the timeline; there also S or −</source>
        <translation>Mehr Zeit in der Zeitleiste; dort auch S oder −</translation>
    </message>
    <message>
        <source>Moment &amp;before</source>
        <translation>Augenblick &amp;davor</translation>
    </message>
    <message>
        <source>The moment worth looking at before this one</source>
        <translation>Der Augenblick davor, den es anzusehen lohnt</translation>
    </message>
    <message>
        <source>The moment worth looking at after this one, or the end</source>
        <translation>Der nächste Augenblick, den es anzusehen lohnt, oder das Ende</translation>
    </message>
    <message>
        <source>View, Panels</source>
        <translation>Ansicht, Tafeln</translation>
    </message>
    <message>
        <source>Maximise a panel, and back</source>
        <translation>Eine Tafel groß machen, und zurück</translation>
    </message>
    <message>
        <source>F11, double click on its title</source>
        <translation>F11, Doppelklick auf den Titel</translation>
    </message>
    <message>
        <source>Layouts: hang, slow, behaviour, explore</source>
        <translation>Anordnungen: Hänger, langsam, Verhalten, Umsehen</translation>
    </message>
    <message>
        <source>Ctrl+1, 2, 3, 4</source>
        <translation>Strg+1, 2, 3, 4</translation>
    </message>
    <message>
        <source>Toolbar</source>
        <translation>Werkzeugleiste</translation>
    </message>
    <message>
        <source>&amp;Layout</source>
        <translation>An&amp;ordnung</translation>
    </message>
    <message>
        <source>All panels of this layout where they were at first</source>
        <translation>Alle Tafeln dieser Anordnung, wo sie am Anfang waren</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>&amp;Tafeln</translation>
    </message>
    <message>
        <source>&amp;Maximise the panel</source>
        <translation>Tafel ma&amp;ximieren</translation>
    </message>
    <message>
        <source>Give the panel with the keyboard the whole window; again, and all are where they were</source>
        <translation>Der Tafel mit der Tastatur das ganze Fenster geben; noch einmal, und alle sind, wo sie waren</translation>
    </message>
    <message>
        <source>&amp;Take the panel out</source>
        <translation>Tafel &amp;herausnehmen</translation>
    </message>
    <message>
        <source>The panel with the keyboard as a window of its own, or back</source>
        <translation>Die Tafel mit der Tastatur als eigenes Fenster, oder zurück</translation>
    </message>
    <message>
        <source>The panel with the keyboard</source>
        <translation>Die Tafel mit der Tastatur</translation>
    </message>
    <message>
        <source>&amp;Attach …</source>
        <translation>An&amp;hängen …</translation>
    </message>
    <message>
        <source>Look at a job that runs or hangs and that nobody recorded, or at its core files</source>
        <translation>Einen Job ansehen, der läuft oder hängt und den niemand aufgezeichnet hat, oder seine Core-Dateien</translation>
    </message>
    <message>
        <source>Moment aft&amp;er</source>
        <translation>Augenb&amp;lick danach</translation>
    </message>
    <message>
        <source>What is seen of the job cannot be written: %1.</source>
        <translation>Was vom Job zu sehen ist, kann nicht geschrieben werden: %1.</translation>
    </message>
    <message>
        <source>job-%1</source>
        <translation>job-%1</translation>
    </message>
    <message>
        <source>job-%1.json</source>
        <translation>job-%1.json</translation>
    </message>
    <message>
        <source>A job that nobody recorded</source>
        <translation>Ein Job, den niemand aufgezeichnet hat</translation>
    </message>
    <message>
        <source>Looking at its processes</source>
        <translation>Seine Prozesse werden angesehen</translation>
    </message>
    <message>
        <source>Clo&amp;se the panel</source>
        <translation>Tafel sch&amp;ließen</translation>
    </message>
    <message>
        <source>To p&amp;anel</source>
        <translation>Zu einer &amp;Tafel</translation>
    </message>
    <message>
        <source>Rac&amp;es</source>
        <translation>&amp;Wettläufe</translation>
    </message>
    <message>
        <source>Calls that could have taken another message, and replays in that order</source>
        <translation>Aufrufe, die eine andere Nachricht hätten nehmen können, und Wiederholungen in dieser Reihenfolge</translation>
    </message>
    <message>
        <source>At call %1 of rank %2, %3, the message of rank %4 (tag %5, its call %6) comes first. Up to there all goes as recorded; after it the program runs free.</source>
        <translation>Beim Aufruf %1 von Rang %2, %3, kommt die Nachricht von Rang %4 (Tag %5, sein Aufruf %6) zuerst. Bis dahin geht alles wie aufgezeichnet; danach läuft das Programm frei.</translation>
    </message>
    <message>
        <source>Without the &amp;recorder&apos;s time</source>
        <translation>Ohne die &amp;Zeit des Rekorders</translation>
    </message>
    <message>
        <source>All times as if nobody had recorded the run: timeline, delays, models</source>
        <translation>Alle Zeiten, als hätte niemand den Lauf aufgezeichnet: Zeitleiste, Verzögerungen, Modelle</translation>
    </message>
    <message>
        <source>A model dump has no times of events that could be corrected.</source>
        <translation>Ein Modellabzug hat keine Zeiten von Ereignissen, die zu berichtigen wären.</translation>
    </message>
    <message>
        <source>The recorder&apos;s time is being taken out …</source>
        <translation>Die Zeit des Rekorders wird herausgerechnet …</translation>
    </message>
    <message>
        <source>%1 – without the recorder&apos;s time – Laggard</source>
        <translation>%1 – ohne die Zeit des Rekorders – Laggard</translation>
    </message>
    <message>
        <source>%1 without the recorder, %2 as recorded</source>
        <translation>%1 ohne den Rekorder, %2 wie aufgezeichnet</translation>
    </message>
    <message>
        <source>Compare with &amp;a call model …</source>
        <translation>Mit einem Aufr&amp;ufmodell vergleichen …</translation>
    </message>
    <message>
        <source>Choose what normal runs of a daemon or service call (laggard-analyze --train)</source>
        <translation>Wählen, was ein Dienst in normalen Läufen aufruft (laggard-analyze --train)</translation>
    </message>
    <message>
        <source>Compare with a call model</source>
        <translation>Mit einem Aufrufmodell vergleichen</translation>
    </message>
    <message>
        <source>Call models (*.json);;All files (*)</source>
        <translation>Aufrufmodelle (*.json);;Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>laggard::MomentBar</name>
    <message>
        <source>Moment</source>
        <translation>Augenblick</translation>
    </message>
    <message>
        <source>Moment before</source>
        <translation>Augenblick davor</translation>
    </message>
    <message>
        <source>Moment after</source>
        <translation>Augenblick danach</translation>
    </message>
    <message>
        <source>Moment that is shown</source>
        <translation>Gezeigter Augenblick</translation>
    </message>
    <message>
        <source>end, %1</source>
        <translation>Ende, %1</translation>
    </message>
    <message>
        <source>The moment of which graph, stacks and source are. Type a time from the start, such as 1.5 s, and Enter</source>
        <translation>Der Augenblick, von dem Graph, Stapel und Quelle sind. Eine Zeit vom Anfang an eingeben, etwa 1.5 s, und Eingabe</translation>
    </message>
    <message>
        <source>To %1: %2</source>
        <translation>Zu %1: %2</translation>
    </message>
    <message>
        <source>No moment before this one stands out</source>
        <translation>Kein Augenblick davor sticht heraus</translation>
    </message>
    <message>
        <source>To the end</source>
        <translation>Zum Ende</translation>
    </message>
</context>
<context>
    <name>laggard::MomentChip</name>
    <message>
        <source>Show who waits for whom at the end of the trace again</source>
        <translation>Wieder zeigen, wer am Ende des Traces auf wen wartet</translation>
    </message>
    <message>
        <source>At %1 …</source>
        <translation>Bei %1 …</translation>
    </message>
    <message>
        <source>To the end</source>
        <translation>Zum Ende</translation>
    </message>
    <message>
        <source>At %1: %2</source>
        <translation>Bei %1: %2</translation>
    </message>
    <message>
        <source>Graph, list, stacks and source are of this moment</source>
        <translation>Graph, Liste, Stapel und Quelle sind von diesem Augenblick</translation>
    </message>
</context>
<context>
    <name>laggard::MomentJob</name>
    <message>
        <source>There is not enough memory for another moment.</source>
        <translation>Der Speicher reicht nicht für einen anderen Augenblick.</translation>
    </message>
</context>
<context>
    <name>laggard::NobodyWaits</name>
    <message>
        <source>&amp;When ranks waited longest</source>
        <translation>&amp;Wann Ränge am längsten warteten</translation>
    </message>
    <message>
        <source>What ranks &amp;do</source>
        <translation>Was Ränge &amp;tun</translation>
    </message>
    <message>
        <source>The state model: what ranks do in a phase, and which of them something else</source>
        <translation>Das Zustandsmodell: was Ränge in einer Phase tun, und welche etwas anderes</translation>
    </message>
</context>
<context>
    <name>laggard::NotFoundPage</name>
    <message>
        <source>Function: %1</source>
        <translation>Funktion: %1</translation>
    </message>
    <message>
        <source>File: %1</source>
        <translation>Datei: %1</translation>
    </message>
    <message>
        <source>Line: %1</source>
        <translation>Zeile: %1</translation>
    </message>
    <message>
        <source>&amp;Locate file…</source>
        <translation>Datei &amp;suchen …</translation>
    </message>
    <message>
        <source>Add path &amp;mapping…</source>
        <translation>&amp;Pfadzuordnung hinzufügen …</translation>
    </message>
    <message>
        <source>Why no source is shown</source>
        <translation>Warum keine Quelle gezeigt wird</translation>
    </message>
    <message>
        <source>What is known</source>
        <translation>Was bekannt ist</translation>
    </message>
    <message>
        <source>Select a state, a call or a finding to see its source.</source>
        <translation>Wählen Sie einen Zustand, einen Aufruf oder einen Befund, um die Quelle zu sehen.</translation>
    </message>
    <message>
        <source>The trace does not say where %1 is.</source>
        <translation>Die Spur sagt nicht, wo %1 ist.</translation>
    </message>
    <message>
        <source>Functions of MPI and of other libraries often come without a file.</source>
        <translation>Funktionen von MPI und anderen Bibliotheken haben oft keine Datei.</translation>
    </message>
    <message>
        <source> A caller has one: choose it above.</source>
        <translation> Ein Aufrufer hat eine: wählen Sie ihn oben.</translation>
    </message>
    <message>
        <source>Looked for it at:</source>
        <translation>Gesucht wurde hier:</translation>
    </message>
    <message>
        <source>    nowhere: the path is relative, and no folder is known</source>
        <translation>    nirgends: der Pfad ist relativ, und kein Ordner ist bekannt</translation>
    </message>
    <message>
        <source>The source cannot be shown</source>
        <translation>Die Quelle kann nicht gezeigt werden</translation>
    </message>
    <message>
        <source>What is known of the file, and where it was looked for</source>
        <translation>Was von der Datei bekannt ist, und wo sie gesucht wurde</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Source not found: %1</source>
        <translation>Quelle nicht gefunden: %1</translation>
    </message>
</context>
<context>
    <name>laggard::OccurrenceListModel</name>
    <message>
        <source>not returned</source>
        <translation>nicht zurückgekehrt</translation>
    </message>
    <message>
        <source>%1 of about this length</source>
        <translation>%1 ungefähr dieser Dauer</translation>
    </message>
    <message>
        <source>abnormal</source>
        <translation>abnorm</translation>
    </message>
</context>
<context>
    <name>laggard::OtherRunPane</name>
    <message>
        <source>Timeline of the other run</source>
        <translation>Zeitleiste des anderen Laufs</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Phase in view</source>
        <translation>Sichtbare Phase</translation>
    </message>
    <message>
        <source>Departure</source>
        <translation>Abweichung</translation>
    </message>
    <message>
        <source>Moments</source>
        <translation>Augenblicke</translation>
    </message>
    <message>
        <source>What both runs are aligned at</source>
        <translation>Woran beide Läufe ausgerichtet sind</translation>
    </message>
    <message>
        <source>What is taken for the same moment in both runs</source>
        <translation>Was in beiden Läufen als derselbe Augenblick gilt</translation>
    </message>
    <message>
        <source>&amp;Aligned at</source>
        <translation>&amp;Ausgerichtet an</translation>
    </message>
    <message>
        <source>Moment of this run, from its start</source>
        <translation>Augenblick dieses Laufs, von seinem Anfang</translation>
    </message>
    <message>
        <source>Moment of the other run, from its start</source>
        <translation>Augenblick des anderen Laufs, von seinem Anfang</translation>
    </message>
    <message>
        <source>Close the comparison</source>
        <translation>Vergleich schließen</translation>
    </message>
    <message>
        <source>How far the other run is read</source>
        <translation>Wie weit der andere Lauf gelesen ist</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation>%1 – %2</translation>
    </message>
</context>
<context>
    <name>laggard::OverviewStrip</name>
    <message>
        <source>Overview of the whole trace</source>
        <translation>Überblick über den ganzen Trace</translation>
    </message>
    <message>
        <source>No trace</source>
        <translation>Kein Trace</translation>
    </message>
    <message>
        <source>Shown: %1 to %2 of %3</source>
        <translation>Gezeigt: %1 bis %2 von %3</translation>
    </message>
    <message>
        <source>Time of the ranks in MPI: waiting %1, transfers %2, set-up %3</source>
        <translation>Zeit der Ränge in MPI: Warten %1, Übertragen %2, Einrichten %3</translation>
    </message>
    <message>
        <source>Starting or ending MPI: %1</source>
        <translation>Anfang oder Ende von MPI: %1</translation>
    </message>
    <message>
        <source>Communication of the ranks: waiting %1, transfers %2, set-up %3</source>
        <translation>Kommunikation der Ränge: Warten %1, Übertragen %2, Einrichten %3</translation>
    </message>
</context>
<context>
    <name>laggard::PanelTitle</name>
    <message>
        <source>Give this panel the whole window, or take that back</source>
        <translation>Dieser Tafel das ganze Fenster geben, oder das zurücknehmen</translation>
    </message>
    <message>
        <source>Take this panel out of the window, or put it back</source>
        <translation>Diese Tafel aus dem Fenster nehmen oder zurücksetzen</translation>
    </message>
    <message>
        <source>Close this panel; the View menu opens it again</source>
        <translation>Diese Tafel schließen; das Menü Ansicht öffnet sie wieder</translation>
    </message>
</context>
<context>
    <name>laggard::PartDialog</name>
    <message>
        <source>A large trace</source>
        <translation>Ein großer Trace</translation>
    </message>
    <message>
        <source>Reading all of &quot;%1&quot; takes about %2 of memory; %3 may be used.</source>
        <translation>Alles von „%1“ zu lesen braucht etwa %2 Speicher; erlaubt sind %3.</translation>
    </message>
    <message>
        <source>This machine has %1.</source>
        <translation>Dieser Rechner hat %1.</translation>
    </message>
    <message>
        <source>Read &amp;all of it anyway</source>
        <translation>Trotzdem &amp;alles lesen</translation>
    </message>
    <message>
        <source>Only these &amp;ranks:</source>
        <translation>Nur diese &amp;Ränge:</translation>
    </message>
    <message>
        <source>Only this &amp;time:</source>
        <translation>Nur diese &amp;Zeit:</translation>
    </message>
    <message>
        <source>Ranks to read</source>
        <translation>Zu lesende Ränge</translation>
    </message>
    <message>
        <source>Begin of the time to read, in seconds</source>
        <translation>Beginn der zu lesenden Zeit, in Sekunden</translation>
    </message>
    <message>
        <source>End of the time to read, in seconds</source>
        <translation>Ende der zu lesenden Zeit, in Sekunden</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>The time must end after it begins.</source>
        <translation>Die Zeit muss nach ihrem Beginn enden.</translation>
    </message>
    <message>
        <source>Ranks are written as 0-99,128; this trace has ranks 0 to %1.</source>
        <translation>Ränge schreibt man als 0-99,128; diese Spur hat die Ränge 0 bis %1.</translation>
    </message>
    <message>
        <source>This takes about %1 of memory</source>
        <translation>Das braucht etwa %1 Speicher</translation>
    </message>
    <message>
        <source>How long the trace lasts is not recorded: this takes up to %1 of memory</source>
        <translation>Wie lange die Spur dauert, ist nicht aufgezeichnet: das braucht bis zu %1 Speicher</translation>
    </message>
    <message>
        <source>, more than may be used.</source>
        <translation>, mehr als erlaubt ist.</translation>
    </message>
</context>
<context>
    <name>laggard::PathMapDialog</name>
    <message>
        <source>Where source files are</source>
        <translation>Wo Quelldateien sind</translation>
    </message>
    <message>
        <source>Built in</source>
        <translation>Gebaut in</translation>
    </message>
    <message>
        <source>Is here</source>
        <translation>Ist hier</translation>
    </message>
    <message>
        <source>Path mappings</source>
        <translation>Pfadzuordnungen</translation>
    </message>
    <message>
        <source>Folders to search</source>
        <translation>Ordner, in denen gesucht wird</translation>
    </message>
    <message>
        <source>&amp;Paths that begin as on the left begin as on the right; the longest that fits is taken:</source>
        <translation>&amp;Pfade, die wie links beginnen, beginnen wie rechts; der längste passende gilt:</translation>
    </message>
    <message>
        <source>&amp;Folders that are searched besides the one of the trace:</source>
        <translation>&amp;Ordner, in denen außer dem der Spur gesucht wird:</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>&amp;Hinzufügen</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>&amp;Durchsuchen …</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Folder with the sources</source>
        <translation>Ordner mit den Quellen</translation>
    </message>
    <message>
        <source>A&amp;dd folder…</source>
        <translation>Ordner h&amp;inzufügen …</translation>
    </message>
    <message>
        <source>R&amp;emove folder</source>
        <translation>Ordner &amp;entfernen</translation>
    </message>
    <message>
        <source>Folder to search for sources</source>
        <translation>Ordner, in dem nach Quellen gesucht wird</translation>
    </message>
</context>
<context>
    <name>laggard::PdgListModel</name>
    <message>
        <source>communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>computation</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>program start</source>
        <translation>Programmbeginn</translation>
    </message>
    <message>
        <source>outside all recorded calls</source>
        <translation>außerhalb aller aufgezeichneten Aufrufe</translation>
    </message>
    <message>
        <source>%1 wait for it</source>
        <translation>%1 warten darauf</translation>
    </message>
    <message>
        <source>waits for %1</source>
        <translation>wartet auf %1</translation>
    </message>
    <message>
        <source>waits for nobody</source>
        <translation>wartet auf niemanden</translation>
    </message>
    <message>
        <source>Some events of these ranks could not be read.</source>
        <translation>Einige Ereignisse dieser Ränge konnten nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Least progressed; </source>
        <translation>Am weitesten zurück; </translation>
    </message>
    <message>
        <source>; damaged</source>
        <translation>; beschädigt</translation>
    </message>
    <message>
        <source>From calls and messages of the trace.</source>
        <translation>Aus Aufrufen und Nachrichten der Spur.</translation>
    </message>
    <message>
        <source>From probabilities of the models.</source>
        <translation>Aus Wahrscheinlichkeiten der Modelle.</translation>
    </message>
    <message>
        <source>undefined with %1</source>
        <translation>unbestimmt mit %1</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ränge</translation>
    </message>
    <message>
        <source>Ranks in this state; below, whom they wait for</source>
        <translation>Ränge in diesem Zustand; darunter, auf wen sie warten</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>Funktion</translation>
    </message>
    <message>
        <source>Innermost function</source>
        <translation>Innerste Funktion</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>File and line of the function, or of its nearest caller with a known source</source>
        <translation>Datei und Zeile der Funktion, oder ihres nächsten Aufrufers mit bekannter Quelle</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Of a state: communication or computation. Of a dependence: collective, point-to-point or loop</source>
        <translation>Eines Zustands: Kommunikation oder Rechnen. Einer Abhängigkeit: kollektiv, Punkt zu Punkt oder Schleife</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>Sicherheit</translation>
    </message>
    <message>
        <source>0 to 1: how sure the dependence, or the choice of the least progressed, is</source>
        <translation>0 bis 1: wie sicher die Abhängigkeit ist, oder die Wahl der am weitesten Zurückliegenden</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Belege</translation>
    </message>
    <message>
        <source>What the dependence rests on</source>
        <translation>Worauf die Abhängigkeit beruht</translation>
    </message>
</context>
<context>
    <name>laggard::PdgListPanel</name>
    <message>
        <source>Progress dependences</source>
        <translation>Abhängigkeiten im Fortschritt</translation>
    </message>
    <message>
        <source>How the least-progressed ranks were found</source>
        <translation>Wie die am weitesten zurückliegenden Ränge gefunden wurden</translation>
    </message>
    <message>
        <source>Ranks that are not in the graph</source>
        <translation>Ränge, die nicht im Graphen sind</translation>
    </message>
    <message>
        <source>No states: every rank has finished, or nothing is open.</source>
        <translation>Keine Zustände: alle Ränge sind fertig, oder nichts ist offen.</translation>
    </message>
    <message>
        <source>Finished: %1.</source>
        <translation>Fertig: %1.</translation>
    </message>
    <message>
        <source>Not known: %1.</source>
        <translation>Nicht bekannt: %1.</translation>
    </message>
</context>
<context>
    <name>laggard::PdgView</name>
    <message>
        <source>Progress-dependence graph</source>
        <translation>Fortschrittsabhängigkeiten</translation>
    </message>
    <message>
        <source>Groups of ranks and whom they wait for; the list beside it says the same</source>
        <translation>Gruppen von Rängen und auf wen sie warten; die Liste daneben sagt dasselbe</translation>
    </message>
    <message>
        <source>Every rank has finished: nobody waits for anybody.</source>
        <translation>Jeder Rang ist fertig: niemand wartet auf jemanden.</translation>
    </message>
    <message>
        <source>Nothing is known of any rank at this moment: nobody can be seen to wait.</source>
        <translation>Von keinem Rang ist in diesem Augenblick etwas bekannt: dass jemand wartet, ist nicht zu sehen.</translation>
    </message>
    <message>
        <source>Ranks %1 have finished; nothing is known of the others. Nobody can be seen to wait.</source>
        <translation>Die Ränge %1 sind fertig; von den anderen ist nichts bekannt. Dass jemand wartet, ist nicht zu sehen.</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>Warum?</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Note on %1; it is drawn in the node:</source>
        <translation>Notiz zu %1; sie steht im Knoten:</translation>
    </message>
    <message>
        <source>&amp;Why?</source>
        <translation>&amp;Warum?</translation>
    </message>
    <message>
        <source>&amp;All waits, also those that follow from others</source>
        <translation>&amp;Alles Warten, auch was aus anderem folgt</translation>
    </message>
    <message>
        <source>&amp;Open: show its groups one by one</source>
        <translation>&amp;Öffnen: seine Gruppen einzeln zeigen</translation>
    </message>
    <message>
        <source>&amp;Close: show what waits for it as one</source>
        <translation>&amp;Schließen: was darauf wartet, als eins zeigen</translation>
    </message>
    <message>
        <source>Edit the &amp;note …</source>
        <translation>&amp;Notiz ändern …</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>no recorded call</source>
        <translation>keinem aufgezeichneten Aufruf</translation>
    </message>
    <message>
        <source>, least progressed</source>
        <translation>, am wenigsten fortgeschritten</translation>
    </message>
    <message>
        <source>Selected: %1</source>
        <translation>Ausgewählt: %1</translation>
    </message>
    <message>
        <source>%1, events lost</source>
        <translation>%1, Ereignisse verloren</translation>
    </message>
</context>
<context>
    <name>laggard::PhaseJob</name>
    <message>
        <source>There is not enough memory for the models of another phase.</source>
        <translation>Der Speicher reicht nicht für die Modelle einer anderen Phase.</translation>
    </message>
</context>
<context>
    <name>laggard::PhasesPanel</name>
    <message>
        <source>Phases</source>
        <translation>Phasen</translation>
    </message>
    <message>
        <source>How phases are compared</source>
        <translation>Wie Phasen verglichen werden</translation>
    </message>
    <message>
        <source>Models: what ranks do and how long it takes. Clusters: which ranks behave alike.</source>
        <translation>Modelle: was Ränge tun und wie lange es dauert. Cluster: welche Ränge sich gleichen.</translation>
    </message>
</context>
<context>
    <name>laggard::PreferencesDialog</name>
    <message>
        <source>Ask debuginfod &amp;servers</source>
        <translation>Debuginfod-&amp;Server fragen</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Nested where there is room</source>
        <translation>Verschachtelt, wo Platz ist</translation>
    </message>
    <message>
        <source>Nested</source>
        <translation>Verschachtelt</translation>
    </message>
    <message>
        <source>One line for each rank</source>
        <translation>Eine Zeile je Rang</translation>
    </message>
    <message>
        <source>&quot;View, Nested calls&quot; changes it for the trace that is open</source>
        <translation>„Ansicht, Verschachtelte Aufrufe“ ändert es für den offenen Trace</translation>
    </message>
    <message>
        <source>as the system</source>
        <translation>wie das System</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> pt</translation>
    </message>
    <message>
        <source>&amp;Colours:</source>
        <translation>&amp;Farben:</translation>
    </message>
    <message>
        <source>&amp;Memory for a trace:</source>
        <translation>&amp;Speicher für einen Trace:</translation>
    </message>
    <message>
        <source>C&amp;alls in the timeline:</source>
        <translation>&amp;Aufrufe in der Zeitleiste:</translation>
    </message>
    <message>
        <source>Size of source &amp;text:</source>
        <translation>&amp;Größe des Quelltexts:</translation>
    </message>
    <message>
        <source>Debug information:</source>
        <translation>Debuginformation:</translation>
    </message>
    <message>
        <source>When a recording is opened, the servers that DEBUGINFOD_URLS names are asked for names and lines that this machine lacks. They learn the build-ids of its programs and libraries.</source>
        <translation>Beim Öffnen einer Aufzeichnung werden die Server, die DEBUGINFOD_URLS nennt, nach Namen und Zeilen gefragt, die diesem Rechner fehlen. Sie erfahren die Build-IDs ihrer Programme und Bibliotheken.</translation>
    </message>
    <message>
        <source>%1&#xa0;% of this machine&apos;s (%2)</source>
        <translation>%1&#xa0;% dieses Rechners (%2)</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>Höchstens</translation>
    </message>
    <message>
        <source>Any, never ask</source>
        <translation>Beliebig, nie fragen</translation>
    </message>
    <message>
        <source>A trace that is estimated to need more is opened only after a question</source>
        <translation>Ein Trace, der schätzungsweise mehr braucht, wird nur nach einer Frage geöffnet</translation>
    </message>
    <message>
        <source> MB</source>
        <translation> MB</translation>
    </message>
    <message>
        <source>Most memory for a trace</source>
        <translation>Höchster Speicher für einen Trace</translation>
    </message>
    <message>
        <source>For now the variable LAGGARD_MEMORY_BUDGET_MB decides: %1.</source>
        <translation>Zurzeit entscheidet die Variable LAGGARD_MEMORY_BUDGET_MB: %1.</translation>
    </message>
    <message>
        <source>never ask</source>
        <translation>nie fragen</translation>
    </message>
</context>
<context>
    <name>laggard::ProfilePanel</name>
    <message>
        <source>Contributions</source>
        <translation>Beiträge</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>Fewer than two ranks can be compared.</source>
        <translation>Weniger als zwei Ränge sind zu vergleichen.</translation>
    </message>
</context>
<context>
    <name>laggard::QuestionBar</name>
    <message>
        <source>Layout</source>
        <translation>Anordnung</translation>
    </message>
</context>
<context>
    <name>laggard::RacesJob</name>
    <message>
        <source>There is not enough memory to look for races.</source>
        <translation>Der Speicher reicht nicht, um nach Wettläufen zu suchen.</translation>
    </message>
</context>
<context>
    <name>laggard::RacesModel</name>
    <message>
        <source>rank %1 (tag %2)</source>
        <translation>Rang %1 (Tag %2)</translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> und %1 weitere</translation>
    </message>
    <message>
        <source>Without the recorder&apos;s own time another message would have come first</source>
        <translation>Ohne die Zeit des Rekorders wäre eine andere Nachricht zuerst gekommen</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>another first</source>
        <translation>eine andere zuerst</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>dieselbe</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>The call that takes what comes first</source>
        <translation>Der Aufruf, der nimmt, was zuerst kommt</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>Nr.</translation>
    </message>
    <message>
        <source>Its number among the rank&apos;s calls</source>
        <translation>Seine Nummer unter den Aufrufen des Rangs</translation>
    </message>
    <message>
        <source>At</source>
        <translation>Bei</translation>
    </message>
    <message>
        <source>When it had its message, from the start</source>
        <translation>Wann er seine Nachricht hatte, vom Anfang an</translation>
    </message>
    <message>
        <source>At in s</source>
        <translation>Bei in s</translation>
    </message>
    <message>
        <source>Took that of</source>
        <translation>Nahm die von</translation>
    </message>
    <message>
        <source>Could have taken that of</source>
        <translation>Hätte nehmen können die von</translation>
    </message>
    <message>
        <source>Apart</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>Between the arrivals of a message that was taken and the nearest one that was not</source>
        <translation>Zwischen der Ankunft einer Nachricht, die genommen wurde, und der nächsten, die es nicht wurde</translation>
    </message>
    <message>
        <source>Apart in s</source>
        <translation>Abstand in s</translation>
    </message>
    <message>
        <source>Without the recorder</source>
        <translation>Ohne den Rekorder</translation>
    </message>
    <message>
        <source>Which message would have come first without the recorder&apos;s own time</source>
        <translation>Welche Nachricht ohne die Zeit des Rekorders zuerst gekommen wäre</translation>
    </message>
</context>
<context>
    <name>laggard::RacesPanel</name>
    <message>
        <source>Races</source>
        <translation>Wettläufe</translation>
    </message>
    <message>
        <source>Messages of the race</source>
        <translation>Nachrichten des Wettlaufs</translation>
    </message>
    <message>
        <source>The messages of the race that is marked stand here.</source>
        <translation>Hier stehen die Nachrichten des markierten Wettlaufs.</translation>
    </message>
    <message>
        <source>Replay with this &amp;message first …</source>
        <translation>Mit dieser &amp;Nachricht zuerst wiederholen …</translation>
    </message>
    <message>
        <source>Run the job again as recorded up to this call, where the marked message comes first</source>
        <translation>Den Job noch einmal laufen lassen, wie aufgezeichnet bis zu diesem Aufruf, bei dem die markierte Nachricht zuerst kommt</translation>
    </message>
    <message>
        <source>No call takes messages from any source, or waits for one of several.</source>
        <translation>Kein Aufruf nimmt Nachrichten von beliebigen Sendern oder wartet auf eine von mehreren.</translation>
    </message>
    <message>
        <source>No call could have taken another message.</source>
        <translation>Kein Aufruf hätte eine andere Nachricht nehmen können.</translation>
    </message>
    <message>
        <source>Of %1 that take what comes first, %2 could have taken another message.</source>
        <translation>Von %1, die nehmen, was zuerst kommt, hätten %2 eine andere Nachricht nehmen können.</translation>
    </message>
    <message>
        <source>Of %1 another one would have come first without the recorder.</source>
        <translation>Bei %1 wäre ohne den Rekorder eine andere zuerst gekommen.</translation>
    </message>
    <message>
        <source>The %1 closest are shown.</source>
        <translation>Gezeigt werden die %1 knappsten.</translation>
    </message>
</context>
<context>
    <name>laggard::RacingMessagesModel</name>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>taken</source>
        <translation>genommen</translation>
    </message>
    <message>
        <source>could have come first</source>
        <translation>hätte zuerst kommen können</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>Tag</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>The call that sends it</source>
        <translation>Der Aufruf, der sie sendet</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>Nr.</translation>
    </message>
    <message>
        <source>Its number among the sender&apos;s calls</source>
        <translation>Seine Nummer unter den Aufrufen des Senders</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>Gesendet</translation>
    </message>
    <message>
        <source>From the start, as recorded</source>
        <translation>Vom Anfang an, wie aufgezeichnet</translation>
    </message>
    <message>
        <source>Sent in s</source>
        <translation>Gesendet in s</translation>
    </message>
    <message>
        <source>Could be there</source>
        <translation>Konnte da sein</translation>
    </message>
    <message>
        <source>When it was sent, and what such messages take at least</source>
        <translation>Wann sie gesendet wurde, und was solche Nachrichten mindestens brauchen</translation>
    </message>
    <message>
        <source>Could be there in s</source>
        <translation>Konnte da sein in s</translation>
    </message>
    <message>
        <source>Without the recorder</source>
        <translation>Ohne den Rekorder</translation>
    </message>
    <message>
        <source>The same without the recorder&apos;s own time</source>
        <translation>Dasselbe ohne die Zeit des Rekorders</translation>
    </message>
    <message>
        <source>Without the recorder in s</source>
        <translation>Ohne den Rekorder in s</translation>
    </message>
    <message>
        <source>What became of it</source>
        <translation>Was aus ihr wurde</translation>
    </message>
</context>
<context>
    <name>laggard::ReferencesDialog</name>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>Vergleichen mit</translation>
    </message>
    <message>
        <source>Traces of the same program in which nothing was wrong. What these runs do as well is no reason for suspicion, and phases are compared with their counterparts in them.</source>
        <translation>Traces desselben Programms, in denen nichts falsch war. Was auch diese Läufe tun, ist kein Verdachtsgrund, und Phasen werden mit ihren Gegenstücken darin verglichen.</translation>
    </message>
    <message>
        <source>Reference traces</source>
        <translation>Vergleichstraces</translation>
    </message>
    <message>
        <source>Add &amp;files …</source>
        <translation>&amp;Dateien hinzufügen …</translation>
    </message>
    <message>
        <source>Add a f&amp;older …</source>
        <translation>&amp;Ordner hinzufügen …</translation>
    </message>
    <message>
        <source>Co&amp;mpare</source>
        <translation>&amp;Vergleichen</translation>
    </message>
    <message>
        <source>OTF2 anchor files (*.otf2);;All files (*)</source>
        <translation>OTF2-Ankerdateien (*.otf2);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>A folder with a trace</source>
        <translation>Ein Ordner mit einem Trace</translation>
    </message>
</context>
<context>
    <name>laggard::ReplayDialog</name>
    <message>
        <source>The job has run for %1 s. If it hangs, end it: its recording then tells who waits for whom.</source>
        <translation>Der Job läuft seit %1 s. Hängt er, so beenden Sie ihn: seine Aufzeichnung sagt dann, wer auf wen wartet.</translation>
    </message>
    <message>
        <source>The recording is being read …</source>
        <translation>Die Aufzeichnung wird gelesen …</translation>
    </message>
    <message>
        <source>Replay in another order</source>
        <translation>In anderer Reihenfolge wiederholen</translation>
    </message>
    <message>
        <source>&amp;Launcher:</source>
        <translation>&amp;Starter:</translation>
    </message>
    <message>
        <source>New &amp;recording:</source>
        <translation>Neue Aufzeich&amp;nung:</translation>
    </message>
    <message>
        <source>The command</source>
        <translation>Der Befehl</translation>
    </message>
    <message>
        <source>Cop&amp;y the command</source>
        <translation>Befehl &amp;kopieren</translation>
    </message>
    <message>
        <source>&amp;End the job</source>
        <translation>Job &amp;beenden</translation>
    </message>
    <message>
        <source>R&amp;un it here</source>
        <translation>Hier &amp;ausführen</translation>
    </message>
    <message>
        <source>The job is being ended …</source>
        <translation>Der Job wird beendet …</translation>
    </message>
    <message>
        <source>It runs in %1, with the environment that this window has, as the recording keeps none.</source>
        <translation>Er läuft in %1, mit der Umgebung dieses Fensters, da die Aufzeichnung keine enthält.</translation>
    </message>
    <message>
        <source>%1 Put the program in place of ./app ARGUMENTS, and run the command where it was run.</source>
        <translation>%1 Setzen Sie das Programm an die Stelle von ./app ARGUMENTS und führen Sie den Befehl dort aus, wo es lief.</translation>
    </message>
    <message>
        <source>%1 is there already: choose another folder for the new recording.</source>
        <translation>%1 gibt es schon: wählen Sie einen anderen Ordner für die neue Aufzeichnung.</translation>
    </message>
    <message>
        <source>The job runs.</source>
        <translation>Der Job läuft.</translation>
    </message>
    <message>
        <source>The job has recorded nothing (exit status %1). %2</source>
        <translation>Der Job hat nichts aufgezeichnet (Exit-Status %1). %2</translation>
    </message>
    <message>
        <source>The job was ended; its recording is shown below.</source>
        <translation>Der Job wurde beendet; seine Aufzeichnung wird darunter gezeigt.</translation>
    </message>
    <message>
        <source>The job has finished; its recording is shown below.</source>
        <translation>Der Job ist fertig; seine Aufzeichnung wird darunter gezeigt.</translation>
    </message>
    <message>
        <source>The job ended with status %1; its recording is shown below.</source>
        <translation>Der Job endete mit Status %1; seine Aufzeichnung wird darunter gezeigt.</translation>
    </message>
</context>
<context>
    <name>laggard::ReplayJob</name>
    <message>
        <source>There is not enough memory to read the recording.</source>
        <translation>Der Speicher reicht nicht, um die Aufzeichnung zu lesen.</translation>
    </message>
    <message>
        <source>What the job writes cannot be kept: %1.</source>
        <translation>Was der Job schreibt, lässt sich nicht behalten: %1.</translation>
    </message>
    <message>
        <source>There is not enough memory to run the job.</source>
        <translation>Der Speicher reicht nicht, um den Job laufen zu lassen.</translation>
    </message>
</context>
<context>
    <name>laggard::RunComparison</name>
    <message>
        <source>A model dump has no calls that could be compared with another run.</source>
        <translation>Ein Modellabzug hat keine Aufrufe, die mit einem anderen Lauf verglichen werden könnten.</translation>
    </message>
    <message>
        <source>reading %1</source>
        <translation>%1 wird gelesen</translation>
    </message>
    <message>
        <source>Other run</source>
        <translation>Anderer Lauf</translation>
    </message>
    <message>
        <source>Both runs</source>
        <translation>Beide Läufe</translation>
    </message>
    <message>
        <source>The comparison was cancelled</source>
        <translation>Der Vergleich wurde abgebrochen</translation>
    </message>
    <message>
        <source>The phase in view is not in both runs: they are aligned at their start</source>
        <translation>Die sichtbare Phase gibt es nicht in beiden Läufen: sie sind am Anfang ausgerichtet</translation>
    </message>
    <message>
        <source>begins within what is shown: not aligned</source>
        <translation>beginnt innerhalb des Gezeigten: nicht ausgerichtet</translation>
    </message>
</context>
<context>
    <name>laggard::SemiMarkovFocus</name>
    <message>
        <source>Too little was recorded for models of what ranks do.</source>
        <translation>Für Modelle dessen, was Ränge tun, ist zu wenig aufgezeichnet.</translation>
    </message>
</context>
<context>
    <name>laggard::ShortcutsDialog</name>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Search actions and keys</source>
        <translation>Befehle und Tasten suchen</translation>
    </message>
    <message>
        <source>No action has this name or key.</source>
        <translation>Kein Befehl hat diesen Namen oder diese Taste.</translation>
    </message>
</context>
<context>
    <name>laggard::ShortcutsModel</name>
    <message>
        <source>Action</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
</context>
<context>
    <name>laggard::SliceJob</name>
    <message>
        <source>There is not enough memory for a slice.</source>
        <translation>Der Speicher reicht nicht für einen Slice.</translation>
    </message>
</context>
<context>
    <name>laggard::SliceModel</name>
    <message>
        <source>Dependences from where the rank stands: %1</source>
        <translation>Abhängigkeiten von der Stelle des Rangs aus: %1</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>In which order to look at the lines: nearest first</source>
        <translation>In welcher Folge die Zeilen anzusehen sind: die nächsten zuerst</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>File and line</source>
        <translation>Datei und Zeile</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>How a line before depends on this one</source>
        <translation>Wie eine Zeile davor von dieser abhängt</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>Variable</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>Number of dependences between this line and where the rank stands</source>
        <translation>Zahl der Abhängigkeiten zwischen dieser Zeile und der Stelle des Rangs</translation>
    </message>
    <message>
        <source>Distance (dependences)</source>
        <translation>Abstand (Abhängigkeiten)</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>Funktion</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ränge</translation>
    </message>
    <message>
        <source>Whose code it is: another rank&apos;s once the slice has gone over a message</source>
        <translation>Wessen Code es ist: eines anderen Rangs, sobald der Slice über eine Nachricht ging</translation>
    </message>
</context>
<context>
    <name>laggard::SlicePanel</name>
    <message>
        <source>Slice</source>
        <translation>Slice</translation>
    </message>
    <message>
        <source>The step in full</source>
        <translation>Der Schritt im Ganzen</translation>
    </message>
    <message>
        <source>No lines: the sentence above says why.</source>
        <translation>Keine Zeilen: der Satz darüber sagt, warum.</translation>
    </message>
    <message>
        <source>Previous step</source>
        <translation>Voriger Schritt</translation>
    </message>
    <message>
        <source>The previous line of the slice (Shift+N)</source>
        <translation>Die vorige Zeile des Slice (Umschalt+N)</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>Nächster Schritt</translation>
    </message>
    <message>
        <source>The next line of the slice, one farther from where the rank stands (N)</source>
        <translation>Die nächste Zeile des Slice, eine weiter weg von der Stelle des Rangs (N)</translation>
    </message>
    <message>
        <source>Frame of the stack that the slice begins at</source>
        <translation>Stapelrahmen, mit dem der Slice beginnt</translation>
    </message>
    <message>
        <source>Where the slice begins: the innermost frame of the least-progressed rank, or one of its callers</source>
        <translation>Wo der Slice beginnt: der innerste Rahmen des am weitesten zurückliegenden Rangs, oder einer seiner Aufrufer</translation>
    </message>
    <message>
        <source>any depth</source>
        <translation>jede Tiefe</translation>
    </message>
    <message>
        <source>depth </source>
        <translation>Tiefe </translation>
    </message>
    <message>
        <source>Greatest distance of lines, in dependences</source>
        <translation>Größter Abstand von Zeilen, in Abhängigkeiten</translation>
    </message>
    <message>
        <source>How many dependences lines may be away from where the rank stands; 0: any number</source>
        <translation>Wie viele Abhängigkeiten Zeilen von der Stelle des Rangs entfernt sein dürfen; 0: beliebig viele</translation>
    </message>
    <message>
        <source>&amp;Thin</source>
        <translation>Dü&amp;nn</translation>
    </message>
    <message>
        <source>Follow values only: neither what pointers point to nor conditions</source>
        <translation>Nur Werten folgen: weder dem, worauf Zeiger zeigen, noch Bedingungen</translation>
    </message>
    <message>
        <source>&amp;Dim other lines</source>
        <translation>Andere &amp;Zeilen blasser</translation>
    </message>
    <message>
        <source>While a step is shown, lines of the source that are not in the slice are dimmed</source>
        <translation>Solange ein Schritt gezeigt wird, sind Zeilen der Quelle blasser, die nicht im Slice sind</translation>
    </message>
    <message>
        <source>E&amp;xport …</source>
        <translation>E&amp;xportieren …</translation>
    </message>
    <message>
        <source>The steps as text, CSV or JSON</source>
        <translation>Die Schritte als Text, CSV oder JSON</translation>
    </message>
    <message>
        <source>Kinds</source>
        <translation>Arten</translation>
    </message>
    <message>
        <source>Which kinds of dependence are listed and stepped through</source>
        <translation>Welche Arten von Abhängigkeit aufgeführt und durchschritten werden</translation>
    </message>
    <message>
        <source>Kinds of dependence</source>
        <translation>Arten von Abhängigkeit</translation>
    </message>
    <message>
        <source>&amp;Slice</source>
        <translation>&amp;Slice</translation>
    </message>
    <message>
        <source>Compile the sources for this, and slice</source>
        <translation>Die Quellen dafür übersetzen und slicen</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>Anhal&amp;ten</translation>
    </message>
    <message>
        <source>End the slicer</source>
        <translation>Den Slicer beenden</translation>
    </message>
    <message>
        <source>&amp;Locate sources …</source>
        <translation>Quellen &amp;finden …</translation>
    </message>
    <message>
        <source>Where the sources lie on this machine</source>
        <translation>Wo die Quellen auf diesem Rechner liegen</translation>
    </message>
    <message>
        <source>&amp;Choose compile_commands.json …</source>
        <translation>&amp;compile_commands.json wählen …</translation>
    </message>
    <message>
        <source>What tells how the sources are compiled; CMake and Bear write it</source>
        <translation>Was sagt, wie die Quellen übersetzt werden; CMake und Bear schreiben es</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>von %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Nothing in the program decides that it stopped there.</source>
        <translation>Nichts im Programm entscheidet, dass er dort anhielt.</translation>
    </message>
    <message>
        <source>There was no time for the whole slice: it may have more lines.</source>
        <translation>Für den ganzen Slice reichte die Zeit nicht: er hat vielleicht mehr Zeilen.</translation>
    </message>
    <message>
        <source>And %1 more.</source>
        <translation>Und %1 weitere.</translation>
    </message>
    <message>
        <source>The slice is being made …</source>
        <translation>Der Slice wird gemacht …</translation>
    </message>
    <message>
        <source>All kinds that this slice has are hidden.</source>
        <translation>Alle Arten, die dieser Slice hat, sind verborgen.</translation>
    </message>
    <message>
        <source>No slice.</source>
        <translation>Kein Slice.</translation>
    </message>
</context>
<context>
    <name>laggard::SmmGraphView</name>
    <message>
        <source>Semi-Markov model</source>
        <translation>Semi-Markov-Modell</translation>
    </message>
    <message>
        <source>States of the ranks and how they follow each other, by cluster; the list beside it says the same</source>
        <translation>Zustände der Ränge und wie sie aufeinander folgen, nach Clustern; die Liste daneben sagt dasselbe</translation>
    </message>
    <message>
        <source>No transition passes the filter.</source>
        <translation>Kein Übergang passt zum Filter.</translation>
    </message>
    <message>
        <source>There is no graph to draw.</source>
        <translation>Es gibt keinen Graphen zu zeichnen.</translation>
    </message>
</context>
<context>
    <name>laggard::SmmPanel</name>
    <message>
        <source>All states</source>
        <translation>Alle Zustände</translation>
    </message>
    <message>
        <source>Transitions</source>
        <translation>Übergänge</translation>
    </message>
    <message>
        <source>Which phase the model is of</source>
        <translation>Von welcher Phase das Modell ist</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Show what all clusters do, or one alone. The lines are those of the graph.</source>
        <translation>Zeigen, was alle Cluster tun, oder einer allein. Die Linien sind die des Graphen.</translation>
    </message>
    <message>
        <source>Smallest probability</source>
        <translation>Kleinste Wahrscheinlichkeit</translation>
    </message>
    <message>
        <source>Leaves out transitions that are less probable than this, unless they are characteristic</source>
        <translation>Lässt Übergänge weg, die weniger wahrscheinlich sind, außer den kennzeichnenden</translation>
    </message>
    <message>
        <source>from </source>
        <translation>ab </translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>Draw all states, however many. Else those around the characteristic transitions.</source>
        <translation>Alle Zustände zeichnen, wie viele es auch sind. Sonst die um die kennzeichnenden Übergänge.</translation>
    </message>
    <message>
        <source>No transitions.</source>
        <translation>Keine Übergänge.</translation>
    </message>
    <message>
        <source>Export the &amp;picture …</source>
        <translation>Das &amp;Bild exportieren …</translation>
    </message>
    <message>
        <source>Export the transitions as &amp;CSV …</source>
        <translation>Die Übergänge als &amp;CSV exportieren …</translation>
    </message>
    <message>
        <source>All clusters</source>
        <translation>Alle Cluster</translation>
    </message>
</context>
<context>
    <name>laggard::SourceEditor</name>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
</context>
<context>
    <name>laggard::SourceView</name>
    <message>
        <source>Call stack, innermost call first</source>
        <translation>Aufrufstapel, der innerste zuerst</translation>
    </message>
    <message>
        <source>Call stack, innermost call first (Alt+Up, Alt+Down)</source>
        <translation>Aufrufstapel, der innerste zuerst (Alt+Auf, Alt+Ab)</translation>
    </message>
    <message>
        <source>File that is shown</source>
        <translation>Gezeigte Datei</translation>
    </message>
    <message>
        <source>Find in source</source>
        <translation>In der Quelle suchen</translation>
    </message>
    <message>
        <source>Find next in source</source>
        <translation>Nächste Stelle in der Quelle</translation>
    </message>
    <message>
        <source>Find previous in source</source>
        <translation>Vorige Stelle in der Quelle</translation>
    </message>
    <message>
        <source>Show source of the caller</source>
        <translation>Quelle des Aufrufers zeigen</translation>
    </message>
    <message>
        <source>Show source of the called function</source>
        <translation>Quelle der gerufenen Funktion zeigen</translation>
    </message>
    <message>
        <source>%1 (read as %2)</source>
        <translation>%1 (gelesen als %2)</translation>
    </message>
    <message>
        <source>Locate %1</source>
        <translation>%1 finden</translation>
    </message>
    <message>
        <source>%1 (definition)</source>
        <translation>%1 (Definition)</translation>
    </message>
</context>
<context>
    <name>laggard::StackPanel</name>
    <message>
        <source>Call-prefix tree</source>
        <translation>Baum der Aufrufe</translation>
    </message>
    <message>
        <source>Call stack</source>
        <translation>Aufrufstapel</translation>
    </message>
    <message>
        <source>All ranks</source>
        <translation>Alle Ränge</translation>
    </message>
    <message>
        <source>Selected ranks</source>
        <translation>Gewählte Ränge</translation>
    </message>
    <message>
        <source>Ranks whose stacks are merged</source>
        <translation>Ränge, deren Stapel vereint sind</translation>
    </message>
    <message>
        <source>No open calls.</source>
        <translation>Keine offenen Aufrufe.</translation>
    </message>
    <message>
        <source>all %1</source>
        <translation>alle %1</translation>
    </message>
    <message>
        <source>%1, at %2</source>
        <translation>%1, bei %2</translation>
    </message>
</context>
<context>
    <name>laggard::StartPage</name>
    <message>
        <source>Laggard</source>
        <translation>Laggard</translation>
    </message>
    <message>
        <source>Which task of a parallel job made the least progress, when, and in which code.</source>
        <translation>Welcher Prozess eines parallelen Jobs am wenigsten fortgeschritten ist, wann und in welchem Code.</translation>
    </message>
    <message>
        <source>Open a trace…</source>
        <translation>Trace öffnen …</translation>
    </message>
    <message>
        <source>The anchor file of a trace (traces.otf2)</source>
        <translation>Die Ankerdatei eines Traces (traces.otf2)</translation>
    </message>
    <message>
        <source>Open a folder…</source>
        <translation>Ordner öffnen …</translation>
    </message>
    <message>
        <source>A folder that holds one trace</source>
        <translation>Ein Ordner, der einen Trace enthält</translation>
    </message>
    <message>
        <source>… or drop a file or folder here.</source>
        <translation>… oder eine Datei oder einen Ordner hier ablegen.</translation>
    </message>
    <message>
        <source>Open the example: a stencil code that hangs</source>
        <translation>Das Beispiel öffnen: ein Stencil-Programm, das hängt</translation>
    </message>
    <message>
        <source>Opened before</source>
        <translation>Schon einmal geöffnet</translation>
    </message>
</context>
<context>
    <name>laggard::StatisticsJob</name>
    <message>
        <source>There is not enough memory for the legend&apos;s numbers.</source>
        <translation>Der Speicher reicht nicht für die Zahlen der Legende.</translation>
    </message>
</context>
<context>
    <name>laggard::SuspectsPanel</name>
    <message>
        <source>Suspects</source>
        <translation>Verdächtige</translation>
    </message>
    <message>
        <source>Without MPI time</source>
        <translation>Ohne MPI-Zeit</translation>
    </message>
    <message>
        <source>With MPI time</source>
        <translation>Mit MPI-Zeit</translation>
    </message>
    <message>
        <source>What counts</source>
        <translation>Was zählt</translation>
    </message>
    <message>
        <source>Without MPI time: who computes differently. With it: who waits differently, too.</source>
        <translation>Ohne die Zeit in MPI: wer anders rechnet. Mit ihr: auch wer anders wartet.</translation>
    </message>
</context>
<context>
    <name>laggard::TimePanel</name>
    <message>
        <source>Time by function</source>
        <translation>Zeit nach Funktion</translation>
    </message>
    <message>
        <source>Waiting by rank</source>
        <translation>Warten nach Rang</translation>
    </message>
</context>
<context>
    <name>laggard::TimelineExportDialog</name>
    <message>
        <source>&amp;Verdict below the title, and its moment</source>
        <translation>&amp;Urteil unter dem Titel und sein Zeitpunkt</translation>
    </message>
    <message>
        <source>Export the timeline</source>
        <translation>Zeitleiste exportieren</translation>
    </message>
    <message>
        <source>What is shown</source>
        <translation>Was zu sehen ist</translation>
    </message>
    <message>
        <source>The whole trace</source>
        <translation>Die ganze Aufzeichnung</translation>
    </message>
    <message>
        <source>The time that is selected</source>
        <translation>Die ausgewählte Zeit</translation>
    </message>
    <message>
        <source>Light, for pages and prints</source>
        <translation>Hell, für Seiten und Drucke</translation>
    </message>
    <message>
        <source>Dark, for screens</source>
        <translation>Dunkel, für Bildschirme</translation>
    </message>
    <message>
        <source>%1 times the window&apos;s</source>
        <translation>%1-mal die des Fensters</translation>
    </message>
    <message>
        <source>Of PNG files; SVG and PDF have no pixels</source>
        <translation>Von PNG-Dateien; SVG und PDF haben keine Pixel</translation>
    </message>
    <message>
        <source>&amp;Time</source>
        <translation>&amp;Zeit</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>&amp;Farben</translation>
    </message>
    <message>
        <source>&amp;Pixels</source>
        <translation>&amp;Pixel</translation>
    </message>
    <message>
        <source>&amp;Export …</source>
        <translation>&amp;Exportieren …</translation>
    </message>
</context>
<context>
    <name>laggard::TimelineWidget</name>
    <message>
        <source>Zoom to this call</source>
        <translation>Zu diesem Aufruf zoomen</translation>
    </message>
    <message>
        <source>Zoom to the selection	F</source>
        <translation>Zur Auswahl zoomen	F</translation>
    </message>
    <message>
        <source>Show the whole trace	0</source>
        <translation>Die ganze Spur zeigen	0</translation>
    </message>
    <message>
        <source>Undo zoom or filter</source>
        <translation>Zoom oder Filter zurück</translation>
    </message>
    <message>
        <source>Remove all filters</source>
        <translation>Alle Filter entfernen</translation>
    </message>
    <message>
        <source>Hide %1</source>
        <translation>%1 verbergen</translation>
    </message>
    <message>
        <source>Show only %1</source>
        <translation>Nur %1 zeigen</translation>
    </message>
    <message>
        <source>Select %1 everywhere</source>
        <translation>%1 überall wählen</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>ranks %1</source>
        <translation>Ränge %1</translation>
    </message>
    <message>
        <source>Unpin %1</source>
        <translation>%1 lösen</translation>
    </message>
    <message>
        <source>Pin %1 on top</source>
        <translation>%1 oben festhalten</translation>
    </message>
    <message>
        <source>Order of rows</source>
        <translation>Reihenfolge der Zeilen</translation>
    </message>
    <message>
        <source>By rank</source>
        <translation>Nach Rang</translation>
    </message>
    <message>
        <source>By host</source>
        <translation>Nach Rechner</translation>
    </message>
    <message>
        <source>By state in the dependence graph</source>
        <translation>Nach Zustand im Abhängigkeitsgraphen</translation>
    </message>
    <message>
        <source>By last event</source>
        <translation>Nach letztem Ereignis</translation>
    </message>
    <message>
        <source>Nested calls</source>
        <translation>Geschachtelte Aufrufe</translation>
    </message>
    <message>
        <source>Execution units</source>
        <translation>Ausführungseinheiten</translation>
    </message>
    <message>
        <source>Message arrows</source>
        <translation>Pfeile für Nachrichten</translation>
    </message>
    <message>
        <source>Collectives</source>
        <translation>Kollektive</translation>
    </message>
    <message>
        <source>Ruler	M</source>
        <translation>Lineal	M</translation>
    </message>
    <message>
        <source>Ruler: drag to measure; M or Escape ends</source>
        <translation>Lineal: ziehen zum Messen; M oder Escape endet</translation>
    </message>
    <message>
        <source>Select a function first</source>
        <translation>Wählen Sie erst eine Funktion</translation>
    </message>
    <message>
        <source>No later call of %1</source>
        <translation>Kein späterer Aufruf von %1</translation>
    </message>
    <message>
        <source>No earlier call of %1</source>
        <translation>Kein früherer Aufruf von %1</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>rank 0000000</source>
        <translation>Rang 0000000</translation>
    </message>
    <message>
        <source>No trace</source>
        <translation>Kein Trace</translation>
    </message>
    <message>
        <source>, selected: ranks %1</source>
        <translation>, gewählt: Ränge %1</translation>
    </message>
</context>
<context>
    <name>laggard::TraceInfoModel</name>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Creator</source>
        <translation>Erzeuger</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>Aufgezeichnet</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>%1 s, %2 ticks</source>
        <translation>%1 s, %2 Ticks</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>Uhr</translation>
    </message>
    <message>
        <source>%1 ticks per second</source>
        <translation>%1 Ticks je Sekunde</translation>
    </message>
    <message>
        <source>Clock resolution</source>
        <translation>Auflösung der Uhren</translation>
    </message>
    <message>
        <source>no receive precedes its send</source>
        <translation>kein Empfang liegt vor seinem Senden</translation>
    </message>
    <message>
        <source>Time stamps closer than this have no order: receives were seen this much before their sends.</source>
        <translation>Zeiten, die näher beieinander liegen, haben keine Reihenfolge: so viel früher als ihr Senden wurden Empfänge gesehen.</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ränge</translation>
    </message>
    <message>
        <source>Locations</source>
        <translation>Orte</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>%1 of all kinds</source>
        <translation>%1 aller Arten</translation>
    </message>
    <message>
        <source>Functions</source>
        <translation>Funktionen</translation>
    </message>
    <message>
        <source>%1 matched</source>
        <translation>%1 zugeordnet</translation>
    </message>
    <message>
        <source>, %1 never received</source>
        <translation>, %1 nie empfangen</translation>
    </message>
    <message>
        <source>, %1 never sent</source>
        <translation>, %1 nie gesandt</translation>
    </message>
    <message>
        <source>, %1 received before they were sent</source>
        <translation>, %1 empfangen, bevor sie gesandt wurden</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>Collectives</source>
        <translation>Kollektive</translation>
    </message>
    <message>
        <source>Collective operations that at least one rank completed</source>
        <translation>Kollektive Operationen, die mindestens ein Rang beendet hat</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Held by calls, messages and collectives</source>
        <translation>Von Aufrufen, Nachrichten und Kollektiven belegt</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>Machines that ranks ran on</source>
        <translation>Maschinen, auf denen Ränge liefen</translation>
    </message>
    <message>
        <source>Communicators</source>
        <translation>Kommunikatoren</translation>
    </message>
    <message>
        <source>Communicators and groups of ranks</source>
        <translation>Kommunikatoren und Gruppen von Rängen</translation>
    </message>
    <message>
        <source>unnamed, number %1</source>
        <translation>ohne Namen, Nummer %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>each rank alone</source>
        <translation>jeder Rang allein</translation>
    </message>
    <message>
        <source>Events not shown</source>
        <translation>Nicht gezeigte Ereignisse</translation>
    </message>
    <message>
        <source>Records that were counted but have no place in the views</source>
        <translation>Einträge, die gezählt wurden, aber in den Ansichten keinen Platz haben</translation>
    </message>
    <message>
        <source>Property</source>
        <translation>Eigenschaft</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
</context>
<context>
    <name>laggard::TraceInfoPanel</name>
    <message>
        <source>Trace information</source>
        <translation>Angaben zur Spur</translation>
    </message>
    <message>
        <source>Nothing is open.</source>
        <translation>Nichts ist geöffnet.</translation>
    </message>
</context>
<context>
    <name>laggard::TransitionPanel</name>
    <message>
        <source>Occurrences</source>
        <translation>Vorkommen</translation>
    </message>
    <message>
        <source>The transition</source>
        <translation>Der Übergang</translation>
    </message>
    <message>
        <source>Choose a transition in the state model.</source>
        <translation>Wählen Sie einen Übergang im Zustandsmodell.</translation>
    </message>
    <message>
        <source>Export the &amp;picture …</source>
        <translation>Das &amp;Bild exportieren …</translation>
    </message>
    <message>
        <source>Export the occurrences as &amp;CSV …</source>
        <translation>Die Vorkommen als &amp;CSV exportieren …</translation>
    </message>
    <message>
        <source> Of %1 the longest %2 are listed.</source>
        <translation> Von %1 sind die längsten %2 aufgeführt.</translation>
    </message>
</context>
<context>
    <name>laggard::TransitionsModel</name>
    <message>
        <source>other run only</source>
        <translation>nur der andere Lauf</translation>
    </message>
    <message>
        <source>this run only</source>
        <translation>nur dieser Lauf</translation>
    </message>
    <message>
        <source>Transition</source>
        <translation>Übergang</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>Dieser Lauf</translation>
    </message>
    <message>
        <source>Mean time in the state before it</source>
        <translation>Mittlere Zeit im Zustand davor</translation>
    </message>
    <message>
        <source>Mean here, s</source>
        <translation>Mittel hier, s</translation>
    </message>
    <message>
        <source>The other</source>
        <translation>Der andere</translation>
    </message>
    <message>
        <source>The same in the other run</source>
        <translation>Dasselbe im anderen Lauf</translation>
    </message>
    <message>
        <source>Mean there, s</source>
        <translation>Mittel dort, s</translation>
    </message>
    <message>
        <source>Ratio</source>
        <translation>Verhältnis</translation>
    </message>
    <message>
        <source>How many times as long as in the other run</source>
        <translation>Wievielmal so lang wie im anderen Lauf</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>How probable it is in this run once its state was entered</source>
        <translation>Wie wahrscheinlich er in diesem Lauf ist, sobald sein Zustand erreicht ist</translation>
    </message>
    <message>
        <source>Probability here</source>
        <translation>Wahrscheinlichkeit hier</translation>
    </message>
    <message>
        <source>Share, other</source>
        <translation>Anteil, anderer</translation>
    </message>
    <message>
        <source>Probability there</source>
        <translation>Wahrscheinlichkeit dort</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Male</translation>
    </message>
    <message>
        <source>How often it was taken in this run</source>
        <translation>Wie oft er in diesem Lauf vorkam</translation>
    </message>
    <message>
        <source>Times here</source>
        <translation>Male hier</translation>
    </message>
    <message>
        <source>Times, other</source>
        <translation>Male, anderer</translation>
    </message>
    <message>
        <source>How often it was taken in the other run</source>
        <translation>Wie oft er im anderen Lauf vorkam</translation>
    </message>
    <message>
        <source>Times there</source>
        <translation>Male dort</translation>
    </message>
</context>
<context>
    <name>laggard::UnitTreeJob</name>
    <message>
        <source>There is not enough memory to show the calls of the unit.</source>
        <translation>Der Speicher reicht nicht, um die Aufrufe der Einheit zu zeigen.</translation>
    </message>
</context>
<context>
    <name>laggard::UnitTreeView</name>
    <message>
        <source>Calls of the unit</source>
        <translation>Aufrufe der Einheit</translation>
    </message>
    <message>
        <source>What the unit called beside what the model has</source>
        <translation>Was die Einheit aufrief, neben dem, was das Modell hat</translation>
    </message>
    <message>
        <source>There is no graph to draw.</source>
        <translation>Es gibt keinen Graphen zu zeichnen.</translation>
    </message>
</context>
<context>
    <name>laggard::UnitsPanel</name>
    <message>
        <source>Units</source>
        <translation>Einheiten</translation>
    </message>
    <message>
        <source>Whose units</source>
        <translation>Wessen Einheiten</translation>
    </message>
    <message>
        <source>Export the &amp;picture …</source>
        <translation>Das &amp;Bild exportieren …</translation>
    </message>
    <message>
        <source>What normal runs call is not known: Analysis → Compare with a call model … names it.</source>
        <translation>Was normale Läufe aufrufen, ist nicht bekannt: Analyse → Mit einem Aufrufmodell vergleichen … nennt es.</translation>
    </message>
    <message>
        <source>All processes</source>
        <translation>Alle Prozesse</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>Choose a unit above.</source>
        <translation>Oben eine Einheit wählen.</translation>
    </message>
    <message>
        <source>Which unit&apos;s calls are shown</source>
        <translation>Aufrufe welcher Einheit gezeigt werden</translation>
    </message>
</context>
<context>
    <name>laggard::VerdictPanel</name>
    <message>
        <source>the trace</source>
        <translation>der Trace</translation>
    </message>
    <message>
        <source>This verdict rests on damaged ranks: some of %1 could not be read.</source>
        <translation>Dieses Urteil beruht auf beschädigten Rängen: ein Teil von %1 war nicht lesbar.</translation>
    </message>
    <message>
        <source>Some of %1 could not be read.</source>
        <translation>Ein Teil von %1 war nicht lesbar.</translation>
    </message>
    <message>
        <source>All suspects ran on %1.</source>
        <translation>Alle Verdächtigen liefen auf %1.</translation>
    </message>
    <message>
        <source>Rank %1 still runs: %2</source>
        <translation>Rang %1 läuft noch: %2</translation>
    </message>
    <message>
        <source>Rank %1 still runs on %2: %3</source>
        <translation>Rang %1 läuft noch auf %2: %3</translation>
    </message>
    <message>
        <source>confidence %1</source>
        <translation>Sicherheit %1</translation>
    </message>
    <message>
        <source>State of the job</source>
        <translation>Zustand des Jobs</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <source>What the figure is</source>
        <translation>Was die Zahl ist</translation>
    </message>
    <message>
        <source>The reasons in sentences, how sure they are, and what was damaged</source>
        <translation>Die Gründe in Sätzen, wie sicher sie sind, und was beschädigt war</translation>
    </message>
    <message>
        <source>The answer in sentences</source>
        <translation>Die Antwort in Sätzen</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>Sicherheit</translation>
    </message>
    <message>
        <source>Hosts of the suspects</source>
        <translation>Rechner der Verdächtigen</translation>
    </message>
    <message>
        <source>Damage</source>
        <translation>Schaden</translation>
    </message>
    <message>
        <source>How to attach a debugger</source>
        <translation>Wie man einen Debugger anhängt</translation>
    </message>
    <message>
        <source>&amp;Copy the command</source>
        <translation>Befehl &amp;kopieren</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>Weniger</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Confidence: %1</source>
        <translation>Sicherheit: %1</translation>
    </message>
</context>
<context>
    <name>laggard::WarningsModel</name>
    <message>
        <source>whole trace</source>
        <translation>ganze Spur</translation>
    </message>
    <message>
        <source>location %1</source>
        <translation>Ort %1</translation>
    </message>
    <message>
        <source>rank %1, location %2</source>
        <translation>Rang %1, Ort %2</translation>
    </message>
    <message>
        <source>data lost</source>
        <translation>Daten verloren</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>Schwere</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Place in the trace</source>
        <translation>Ort im Trace</translation>
    </message>
</context>
<context>
    <name>laggard::WarningsPanel</name>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>Filter warnings</source>
        <translation>Warnungen filtern</translation>
    </message>
    <message>
        <source>No warnings: everything in the trace could be read.</source>
        <translation>Keine Warnungen: alles in der Spur konnte gelesen werden.</translation>
    </message>
    <message>
        <source>The warning in full</source>
        <translation>Die Warnung im Ganzen</translation>
    </message>
    <message>
        <source>No warning contains this text.</source>
        <translation>Keine Warnung enthält diesen Text.</translation>
    </message>
</context>
<context>
    <name>laggard::Workspace</name>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Who waits for whom</source>
        <translation>Wer auf wen wartet</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>A model dump has no timeline: it holds states and counts instead of events.</source>
        <translation>Ein Modellabzug hat keine Zeitleiste: er enthält Zustände und Zahlen statt Ereignisse.</translation>
    </message>
    <message>
        <source>Suspects</source>
        <translation>Verdächtige</translation>
    </message>
    <message>
        <source>Last records</source>
        <translation>Letzte Einträge</translation>
    </message>
    <message>
        <source>Always last</source>
        <translation>Immer zuletzt</translation>
    </message>
    <message>
        <source>Phases</source>
        <translation>Phasen</translation>
    </message>
    <message>
        <source>Clusters</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>State model</source>
        <translation>Zustandsmodell</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>Slice</translation>
    </message>
    <message>
        <source>Transition</source>
        <translation>Übergang</translation>
    </message>
    <message>
        <source>Contributions</source>
        <translation>Beiträge</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>Legende</translation>
    </message>
    <message>
        <source>A model dump has no calls to count: it holds states and counts instead of events.</source>
        <translation>Ein Modellabzug hat keine Aufrufe zu zählen: er enthält Zustände und Zahlen statt Ereignissen.</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>Trace</translation>
    </message>
    <message>
        <source>This model dump has neither events nor models by phase, by which ranks could be compared.</source>
        <translation>Dieser Modellabzug hat weder Ereignisse noch Modelle nach Phasen, mit denen Ränge zu vergleichen wären.</translation>
    </message>
    <message>
        <source>The ranks are being compared …</source>
        <translation>Die Ränge werden verglichen …</translation>
    </message>
    <message>
        <source>comparing ranks</source>
        <translation>Ränge werden verglichen</translation>
    </message>
    <message>
        <source>The comparison was cancelled. Analysis → Run again starts it anew.</source>
        <translation>Der Vergleich wurde abgebrochen. Analyse → Erneut ausführen beginnt ihn neu.</translation>
    </message>
    <message>
        <source>When it started is not known yet: the analyses are running</source>
        <translation>Wann es begann, ist noch nicht bekannt: die Analysen laufen</translation>
    </message>
    <message>
        <source>Nothing is known to hang at the end, so there is no moment at which it started</source>
        <translation>Von nichts ist bekannt, dass es am Ende hängt; also gibt es keinen Augenblick, in dem es begann</translation>
    </message>
    <message>
        <source>No rank has made less progress than the others</source>
        <translation>Kein Rang ist weniger fortgeschritten als die anderen</translation>
    </message>
    <message>
        <source>The filter of the last time would hide the least progressed: it was lifted. Undo brings it back.</source>
        <translation>Der Filter vom letzten Mal verbärge die am weitesten Zurückliegenden: er wurde aufgehoben. Rückgängig bringt ihn zurück.</translation>
    </message>
    <message>
        <source>The session&apos;s filter of ranks was left out: &quot;%1&quot; is not a range of ranks</source>
        <translation>Der Filter der Sitzung nach Rängen wurde weggelassen: „%1“ ist kein Bereich von Rängen</translation>
    </message>
    <message>
        <source>The slice is being made: sources are compiled, and lines looked for.</source>
        <translation>Der Slice wird gemacht: Quellen werden übersetzt und Zeilen gesucht.</translation>
    </message>
    <message>
        <source>The slicer was stopped.</source>
        <translation>Der Slicer wurde angehalten.</translation>
    </message>
    <message>
        <source>Select a rank whose stack the source panel shows: the slice begins at the frame that is chosen there</source>
        <translation>Wählen Sie einen Rang, dessen Stapel die Tafel der Quelle zeigt: der Slice beginnt beim dort gewählten Rahmen</translation>
    </message>
    <message>
        <source>There is no slice to step through: its panel says why</source>
        <translation>Es gibt keinen Slice zu durchschreiten: seine Tafel sagt, warum</translation>
    </message>
    <message>
        <source>This is the last line of the slice</source>
        <translation>Das ist die letzte Zeile des Slice</translation>
    </message>
    <message>
        <source>This is the first line of the slice</source>
        <translation>Das ist die erste Zeile des Slice</translation>
    </message>
    <message>
        <source>How the program is compiled</source>
        <translation>Wie das Programm übersetzt wird</translation>
    </message>
    <message>
        <source>Compile commands (*.json)</source>
        <translation>Übersetzungsbefehle (*.json)</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Stack</source>
        <translation>Stapel</translation>
    </message>
    <message>
        <source>All stacks</source>
        <translation>Alle Stapel</translation>
    </message>
    <message>
        <source>Time by function</source>
        <translation>Zeit nach Funktion</translation>
    </message>
    <message>
        <source>Waiting by rank</source>
        <translation>Warten nach Rang</translation>
    </message>
    <message>
        <source>Details of the selection</source>
        <translation>Einzelheiten der Auswahl</translation>
    </message>
    <message>
        <source>Models of %1 are being made …</source>
        <translation>Modelle von %1 werden gemacht …</translation>
    </message>
    <message>
        <source>Clusters, state model and transition show %1</source>
        <translation>Cluster, Zustandsmodell und Übergang zeigen %1</translation>
    </message>
    <message>
        <source>At %1</source>
        <translation>Bei %1</translation>
    </message>
    <message>
        <source>Nobody waits for anybody at this moment.</source>
        <translation>In diesem Augenblick wartet niemand auf jemanden.</translation>
    </message>
    <message>
        <source>Nothing is known of who waits for whom at the end.</source>
        <translation>Es ist nichts darüber bekannt, wer am Ende auf wen wartet.</translation>
    </message>
    <message>
        <source>Every rank has finished, so nobody waits for anybody at the end.</source>
        <translation>Jeder Rang ist fertig, so dass am Ende niemand auf jemanden wartet.</translation>
    </message>
    <message>
        <source>from here on the least-progressed ranks are those of the end</source>
        <translation>von hier an sind die am wenigsten Fortgeschrittenen die des Endes</translation>
    </message>
    <message>
        <source>rank %1 has waited %2 for rank %3</source>
        <translation>Rang %1 hat %2 auf Rang %3 gewartet</translation>
    </message>
    <message>
        <source>%1 finished; what the others did at the end is not known.</source>
        <translation>%1 fertig; was die anderen am Ende taten, ist nicht bekannt.</translation>
    </message>
    <message>
        <source>Races</source>
        <translation>Wettläufe</translation>
    </message>
    <message>
        <source>A model dump has no messages over time: it holds states and counts instead of events.</source>
        <translation>Ein Modellabzug hat keine Nachrichten über der Zeit: er hält Zustände und Zahlen statt Ereignissen.</translation>
    </message>
    <message>
        <source>Races are being looked for …</source>
        <translation>Wettläufe werden gesucht …</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>Einheiten</translation>
    </message>
    <message>
        <source>The model has no process that sets up its connections as this one does.</source>
        <translation>Das Modell hat keinen Prozess, der seine Verbindungen so herstellt wie dieser.</translation>
    </message>
</context>
</TS>
