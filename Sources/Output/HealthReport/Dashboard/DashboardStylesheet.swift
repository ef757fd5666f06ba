/// The style sheet of the hub's pages: the report's, and what the dashboard has beside it (R59).
package enum DashboardStylesheet {
  package static var text: String { Stylesheet.text.description + own }

  private static let own = """

    .dashboard section,.dashboard #year{margin-top:36px}
    .dashboard header{padding-top:16px}
    .bar{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center}
    .bar h1{margin-right:auto}
    button{font:inherit;font-size:14px;color:var(--ink);background:var(--card);\
    border:1px solid var(--soft);border-radius:8px;padding:6px 14px;min-height:44px;cursor:pointer}
    button:hover{border-color:var(--ink)}
    button[disabled]{color:var(--soft);cursor:default}
    .skip{position:absolute;left:-999px}
    .skip:focus{left:16px;top:8px;background:var(--page);padding:4px 8px;z-index:1}
    .live{display:flex;align-items:center;gap:8px;font-size:13px;font-weight:600;color:var(--soft)}
    .live::before{content:"";width:10px;height:10px;border-radius:5px;border:2px solid var(--soft)}
    .live.on{color:var(--accent)}
    .live.on::before{background:var(--accent);border-color:var(--accent);\
    animation:breathe 2.4s ease-in-out infinite}
    .live.lost{color:var(--bad)}
    .live.lost::before{border-color:var(--bad);border-radius:0}
    @keyframes breathe{50%{opacity:.35}}
    .pages,.turns,.dashboard .spans{display:flex;flex-wrap:wrap;gap:0 18px;margin:0}
    .pages a,.turns a,.spans a,.date a,summary{display:inline-flex;align-items:center;\
    min-height:44px}
    .pages a[aria-current]{color:var(--ink);font-weight:650;text-decoration:none}
    .turns a:last-child:not(:first-child){margin-left:auto}
    .date{font-weight:600;display:flex;justify-content:space-between;gap:0 18px}
    .date a+a{flex:none}
    .card h3 a,.few th a,.rest dt a,.data th a{color:inherit;text-decoration-color:var(--rule);\
    text-underline-offset:3px}
    .figure,#trends .card{position:relative}
    .figure h3 a::after,#trends h3 a::after{content:"";position:absolute;inset:0;border-radius:10px}
    .figure.rest dt a{display:inline-flex;align-items:center;min-height:44px}
    .few th a{display:inline-flex;align-items:center;min-height:44px}
    .dashboard .few td{padding-left:12px;white-space:normal}
    .few tr:has([open])>*{vertical-align:top}
    .few tr:has([open])>:last-child{padding-top:12px;white-space:nowrap}
    .few details ul{text-align:left;color:var(--soft);overflow-wrap:anywhere}
    .few details li{padding-bottom:8px}
    .card>h3{border-left:4px solid var(--accent);padding-left:8px;margin-left:-16px;\
    padding-left:12px}
    .last time{white-space:nowrap}
    .dashboard summary::before{content:"\\25B8"/"";margin-right:8px;color:var(--soft)}
    .dashboard details[open]>summary::before{content:"\\25BE"/""}
    .dashboard input:focus-within{outline:2px solid var(--accent);outline-offset:2px}
    .card:has(.bar) .key .week.s0{stroke:var(--ink)}
    .log li li{border:0;padding:0 0 0 12px}
    .start{max-width:72ch}
    .start h3{margin-top:20px}
    .start li{margin-top:10px}
    .command{margin-top:4px}
    .command code{display:inline-block;background:var(--card);padding:8px 12px;border-radius:8px}
    .metric{display:grid;grid-template-columns:minmax(0,1fr);gap:12px;margin-top:12px}
    .metric section,.dashboard .metric section{margin-top:0}
    .metric h2{margin-bottom:4px}
    .metric .chart{height:288px}
    .tall{max-height:560px;overflow:auto}
    .tall thead th{position:sticky;top:0;background:var(--page)}
    .big{height:210px}
    .night{margin-left:64px;width:calc(100% - 64px)}
    .n1{height:54px}.n2{height:84px}.n3{height:114px}.n4{height:144px}.n5{height:174px}
    .awake{fill:var(--awake)}.asleepREM{fill:var(--rem)}.asleepCore{fill:var(--core)}
    .asleepDeep,.asleepUnspecified{fill:var(--sleep)}.inBed{fill:var(--soft)}
    .chart .range{stroke-width:.8;vector-effect:none;stroke-linecap:butt;opacity:.3}
    .workout{fill:var(--activity);opacity:.18}
    .readable .chart{touch-action:pan-y;cursor:crosshair}
    .readout{font-weight:600;min-height:24px}
    .cursor{stroke:var(--ink);stroke-width:1}
    .read{background:var(--rule)}
    .dashboard input[type=date]{font:inherit;color:var(--ink);background:var(--page);\
    border:1px solid var(--soft);border-radius:8px;padding:6px 10px;min-height:44px}
    .published{font-size:13px;color:var(--soft)}
    .figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,200px),1fr));\
    gap:12px;margin-top:12px}
    .figure{display:flex;flex-direction:column;gap:4px}
    .figure .last b{font-size:26px;line-height:1.2}
    .figure .last b.none{font-weight:400}
    .figure .days{margin-top:auto}
    .days{display:block;width:100%;max-width:176px;height:36px}
    .days rect,.days circle{fill:var(--soft);opacity:.6}
    .days .now{fill:none;stroke:var(--accent);stroke-width:2;opacity:1}
    .days .gap{stroke:var(--soft);stroke-width:1.5;fill:none}
    .figure.steps{grid-column:span 2}
    .figure.rest{grid-column:1/-1}
    .figure.rest summary{font-weight:600;font-size:14px}
    .ringed{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center}
    .ringed .last b{font-size:32px}
    .ring{width:128px;height:128px;flex:none}
    .ring circle{fill:none;stroke-width:4}
    .ring .track{stroke:var(--rule)}
    .ring .part{stroke:var(--accent);stroke-linecap:round}
    .figure .gaps span{display:block}
    .ring text{font-size:6.6px;font-weight:650;fill:var(--ink);text-anchor:middle}
    .goal{font-size:14px;color:var(--soft)}
    .goal.reached{color:var(--accent);font-weight:650}
    .rest dl{display:grid;gap:2px 32px;\
    grid-template-columns:repeat(auto-fill,minmax(min(100%,240px),1fr))}
    .rest dl>div{display:flex;justify-content:space-between;gap:12px;align-items:baseline}
    .rest dd{font-size:14px;white-space:nowrap}
    .changed{animation:changed 1.6s ease-out}
    @keyframes changed{from{background:var(--rule)}}
    .spans a[aria-current]{color:var(--ink);font-weight:650;text-decoration-thickness:3px;\
    text-underline-offset:5px}
    #trends .cards{margin-top:12px}
    #other-trends{margin-top:16px}
    #status h3{margin-top:16px}
    .log{list-style:none;margin:6px 0 0;padding:0;font-size:13px}
    .log li{padding:4px 0;border-bottom:1px solid var(--rule)}
    .log time{color:var(--soft);margin-right:8px}
    .failure{color:var(--bad)}
    .sign-in main{max-width:400px;padding-top:12vh}
    .sign-in form{display:grid;gap:8px;margin-top:20px}
    .sign-in label{font-weight:600}
    .sign-in input{font:inherit;color:var(--ink);background:var(--page);padding:8px 10px;\
    border:1px solid var(--soft);border-radius:8px;width:100%;min-height:44px}
    .sign-in button{min-height:44px;background:var(--accent);color:var(--page);\
    border-color:var(--accent);font-weight:600;font-size:16px}
    .stack{display:grid;gap:8px;max-width:480px;margin-top:12px}
    .stack label{font-weight:600}
    .stack .check{display:flex;align-items:center;gap:12px;min-height:44px;font-weight:400}
    .stack input[type=checkbox]{width:24px;height:24px;flex:none;accent-color:var(--accent)}
    .stack input[type=text]{font:inherit;color:var(--ink);background:var(--page);padding:8px 10px;\
    border:1px solid var(--soft);border-radius:8px;width:100%;min-height:44px}
    .stack button,.act{justify-self:start;font-weight:600;border-color:var(--accent)}
    .stack .danger{border-color:var(--bad);color:var(--bad)}
    .people li{border-bottom:1px solid var(--rule);padding-bottom:8px}
    .people a,a.act{display:inline-flex;align-items:center;min-height:44px;font-weight:600}
    .people span{display:block}
    .facts{display:grid;gap:4px 24px;grid-template-columns:repeat(auto-fill,minmax(min(100%,240px),1fr))}
    .secret{display:block;background:var(--card);padding:12px;border-radius:8px;margin:8px 0;\
    font-size:15px;user-select:all}
    .qr{display:block;width:100%;max-width:320px;border-radius:8px;margin:8px 0}
    .notice{margin-top:16px;border-left:3px solid var(--accent);padding-left:12px}
    .notice.bad{border-color:var(--bad);color:var(--bad)}
    @media (max-width:520px){.bar h1{font-size:22px}.bar{gap:0 10px}.date{font-size:14px}\
    .dashboard .few td{padding-left:8px}.dashboard .card .compared td,\
    .dashboard .card .compared th{padding-left:4px;font-size:12px;white-space:normal}.bar button{padding:4px 9px;\
    font-size:13px}.dashboard header{padding-top:8px}.dashboard section{margin-top:14px}\
    #today-title{position:absolute;width:1px;height:1px;\
    overflow:hidden;clip-path:inset(50%)}.published,#sync{display:none}\
    .figures{grid-template-columns:1fr 1fr;gap:8px;margin-top:4px}.figure.card{padding:8px 12px;gap:0}\
    .card>h3{margin-left:-12px;padding-left:8px;font-size:13px}.figure .days,.figure>.gaps{display:none}\
    .figure .last b{font-size:20px}.figure .last small,.goal{font-size:12px;line-height:1.3}\
    .ringed .last b{font-size:30px}.ring{width:76px;height:76px}\
    #trends .cards{gap:0;margin-top:0}#trends .card{display:flex;gap:8px;align-items:center;\
    justify-content:space-between;min-height:48px;padding:4px 12px;border-radius:0;\
    border-bottom:1px solid var(--rule)}#trends .card>:not(h3,.last),#trends .key,\
    #trends>.hint{display:none}#trends .card>.last{text-align:right}#trends .last b{font-size:16px}\
    #trends .last small{display:none}}
    @media (min-width:900px){.metric{grid-template-columns:minmax(0,1fr) minmax(240px,auto)}}
    @media (min-width:900px){.figure.steps{grid-row:span 2}.ring{width:180px;height:180px}\
    .ringed{gap:8px 24px}.ringed .last b{font-size:40px}}
    @media (min-width:1500px){.dashboard header,.dashboard main,.dashboard footer{max-width:1500px}}
    @media (min-width:2400px){.dashboard header,.dashboard main,.dashboard footer{\
    max-width:1900px;zoom:1.25}}
    @media (min-width:3200px){.dashboard header,.dashboard main,.dashboard footer{zoom:1.9}}
    @media (forced-colors:active){.read,.read a{forced-color-adjust:none;background:CanvasText;\
    color:Canvas}.days *{opacity:1}.ring .track{stroke:CanvasText;stroke-width:.6}\
    .chart .range{stroke:GrayText;opacity:1}.chart .workout{fill:none;stroke:CanvasText;\
    vector-effect:non-scaling-stroke;stroke-dasharray:4 3}}
    @media print{.dashboard nav,.dashboard form,.skip,.live,.published,.date a+a,.readout,.cursor,\
    .readable details{display:none!important}.dashboard a{color:inherit;text-decoration:none}\
    .dashboard section,.dashboard #year{margin-top:20px}.read{background:none}\
    .metric{grid-template-columns:minmax(0,1fr)}.tall{max-height:none;overflow:visible}\
    .tall:not(:has(th:nth-child(3))){columns:3}\
    .tall thead th{position:static}.few th a,.figure.rest dt a{min-height:0}\
    .dashboard .rest::details-content,#other-trends::details-content{content-visibility:visible}\
    .dashboard .rest>dl,.dashboard #other-trends>.cards{display:grid}\
    .dashboard details>summary::before{content:none}.ring{width:110px;height:110px}\
    .workout{opacity:.4}.log li{break-inside:avoid}.dashboard footer{display:none}\
    section[aria-labelledby=day-title]{display:none}\
    section[aria-labelledby=trends-title]{break-before:page}}
    @media (prefers-reduced-motion:reduce){*,*::before{animation:none!important;transition:none!important}}

    """
}
