/* One bulk transfer in ns-3, for a second truth of the congestion window where the kernel is not:
 *
 *   sender A --1 Gbit/s-- R --bottleneck: rate, queue, delay/2-- M --1 Gbit/s, delay/2-- B
 *
 * Writes a.pcap, m.pcap, b.pcap (at A, behind the bottleneck, at B) and a-tcp.csv with the columns
 * of the lab's probe that the scorer reads, one row per change of window, state or flight. */
#include <cstdio>
#include <string>

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

using namespace ns3;

namespace {

/* The sender's socket as traced; bytes. */
struct sender {
    FILE *csv;
    std::string cc;
    Ptr<TcpSocketBase> socket;
    uint32_t mss, cwnd, ssthresh, highest, acked, rwnd, buffer;
    unsigned state;
    double rtt_s;

    void row() const
    {
        uint32_t unacked = highest > acked ? (highest - acked + mss - 1) / mss : 0;
        uint32_t limit = ssthresh == UINT32_MAX ? 0x7fffffff : ssthresh / mss;
        std::fprintf(csv, "%.6f,10.0.0.1,49153,10.0.2.2,5001,%s,1,%u,%u,%u,%.0f,%u,0,%u,%u\n",
                     Simulator::Now().GetSeconds(), cc.c_str(), state, cwnd / mss, limit,
                     rtt_s * 1e6, unacked, rwnd, buffer - socket->GetTxAvailable());
    }
};

void on_cwnd(sender *s, uint32_t, uint32_t now) { s->cwnd = now; s->row(); }
void on_ssthresh(sender *s, uint32_t, uint32_t now) { s->ssthresh = now; s->row(); }
void on_highest(sender *s, SequenceNumber32, SequenceNumber32 now) { s->highest = now.GetValue(); s->row(); }
void on_acked(sender *s, SequenceNumber32, SequenceNumber32 now) { s->acked = now.GetValue(); }
void on_rwnd(sender *s, uint32_t, uint32_t now) { s->rwnd = now; }
void on_rtt(sender *s, Time, Time now) { s->rtt_s = now.GetSeconds(); }
void on_state(sender *s, TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t now)
{
    s->state = now;
    s->row();
}

/* The socket exists once the application has started. */
void trace(sender *s, Ptr<BulkSendApplication> app)
{
    s->socket = DynamicCast<TcpSocketBase>(app->GetSocket());
    UintegerValue bytes;
    s->socket->GetAttribute("SndBufSize", bytes);
    s->buffer = bytes.Get();
    s->socket->TraceConnectWithoutContext("CongestionWindow", MakeBoundCallback(&on_cwnd, s));
    s->socket->TraceConnectWithoutContext("SlowStartThreshold", MakeBoundCallback(&on_ssthresh, s));
    s->socket->TraceConnectWithoutContext("HighestSequence", MakeBoundCallback(&on_highest, s));
    s->socket->TraceConnectWithoutContext("HighestRxAck", MakeBoundCallback(&on_acked, s));
    s->socket->TraceConnectWithoutContext("RWND", MakeBoundCallback(&on_rwnd, s));
    s->socket->TraceConnectWithoutContext("RTT", MakeBoundCallback(&on_rtt, s));
    s->socket->TraceConnectWithoutContext("CongState", MakeBoundCallback(&on_state, s));
}

NetDeviceContainer join(Ptr<Node> from, Ptr<Node> to, const std::string &rate, double delay_ms,
                        const std::string &queue)
{
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue(rate));
    link.SetChannelAttribute("Delay", TimeValue(Seconds(delay_ms / 1000)));
    link.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue(queue));
    return link.Install(from, to);
}

} // namespace

int main(int argc, char **argv)
{
    std::string cc = "TcpLinuxReno", rate = "4Mbps", queue = "50p", recovery = "TcpPrrRecovery";
    double delay_ms = 50, loss = 0;
    uint64_t bytes = 10000000;
    bool timestamps = true, sack = true;
    uint32_t mss = 1448;
    CommandLine line;
    line.AddValue("cc", "ns-3's class", cc);
    line.AddValue("recovery", "ns-3's class", recovery);
    line.AddValue("rate", "of the bottleneck", rate);
    line.AddValue("queue", "before it, packets with a p", queue);
    line.AddValue("delay", "one way, ms", delay_ms);
    line.AddValue("loss", "random, of packets towards B, behind M", loss);
    line.AddValue("bytes", "to send", bytes);
    line.AddValue("timestamps", "TCP timestamps", timestamps);
    line.AddValue("sack", "selective acknowledgments", sack);
    line.AddValue("mss", "bytes of a segment", mss);
    line.Parse(argc, argv);

    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::" + cc));
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType", StringValue("ns3::" + recovery));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(mss));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(4 << 20));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(4 << 20));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(timestamps));
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(sack));
    Config::SetDefault("ns3::PcapFileWrapper::NanosecMode", BooleanValue(true));
    Config::SetDefault("ns3::PcapFileWrapper::CaptureSize", UintegerValue(128));

    NodeContainer nodes;
    nodes.Create(4);
    NetDeviceContainer near = join(nodes.Get(0), nodes.Get(1), "1Gbps", 0, "10000p");
    NetDeviceContainer slow = join(nodes.Get(1), nodes.Get(2), rate, delay_ms / 2, queue);
    NetDeviceContainer far = join(nodes.Get(2), nodes.Get(3), "1Gbps", delay_ms / 2, "10000p");
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper address("10.0.0.0", "255.255.255.0");
    address.Assign(near);
    address.SetBase("10.0.1.0", "255.255.255.0");
    address.Assign(slow);
    address.SetBase("10.0.2.0", "255.255.255.0");
    Ipv4InterfaceContainer last = address.Assign(far);
    TrafficControlHelper none; // the address helper has put a queue discipline before each device
    none.Uninstall(near);
    none.Uninstall(slow);
    none.Uninstall(far);
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    if (loss > 0) {
        Ptr<RateErrorModel> model = CreateObject<RateErrorModel>();
        model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        model->SetRate(loss);
        far.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(model));
    }

    BulkSendHelper bulk("ns3::TcpSocketFactory", InetSocketAddress(last.GetAddress(1), 5001));
    bulk.SetAttribute("MaxBytes", UintegerValue(bytes));
    ApplicationContainer apps = bulk.Install(nodes.Get(0));
    apps.Start(Seconds(1));
    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 5001));
    sink.Install(nodes.Get(3));

    PointToPointHelper pcap;
    pcap.EnablePcap("a.pcap", near.Get(0), false, true);
    pcap.EnablePcap("m.pcap", far.Get(0), false, true);
    pcap.EnablePcap("b.pcap", far.Get(1), false, true);
    sender s = {std::fopen("a-tcp.csv", "w"), cc, nullptr, mss, 10 * mss, UINT32_MAX, 0, 0, 65535,
                0, 0, 0};
    if (!s.csv) {
        return 1;
    }
    std::fputs("time,src,sport,dst,dport,cc,state,ca_state,snd_cwnd,snd_ssthresh,rtt,unacked,"
               "total_retrans,snd_wnd,wqueue\n", s.csv);
    Simulator::Schedule(Seconds(1.000001), &trace, &s,
                        DynamicCast<BulkSendApplication>(apps.Get(0)));
    Simulator::Stop(Seconds(1000));
    Simulator::Run();
    std::fclose(s.csv);
    s.socket = nullptr;
    Simulator::Destroy();
    return 0;
}
